substr(d.content_hash, 1, 32) = decode(repeat('00', 32), 'hex')
