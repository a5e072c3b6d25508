-- compatible_from: 1

-- Engines read the monitors of partitions page by page, in the order of their keys.
drop index monitors_of_partition;
create index monitors_of_partition on monitors (partition, key) include (id, version) where status = 'enabled';
