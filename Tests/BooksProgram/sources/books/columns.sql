SELECT item.*, raw->>'title' AS title FROM item
