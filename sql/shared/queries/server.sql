-- The properties of the server that `syncctl doctor` reports.
SELECT current_setting('server_version'), current_setting('server_encoding'), current_database(), current_user,
       has_database_privilege(current_database(), 'CREATE')
