insert into signed_head_countersignatures (day, location, key_x, signature)
values ('2026-11-01', 'local', repeat('x', 43), repeat('cd', 64));
