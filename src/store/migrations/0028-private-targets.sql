-- compatible_from: 1

-- Whether the owner, in person, let the checks of a monitor reach addresses of the own network
-- (docs/decisions/targets-and-kinds.md, "Private addresses").
alter table monitors add column allow_private_target boolean not null default false;
create index monitors_with_private_target on monitors (key) where allow_private_target;
