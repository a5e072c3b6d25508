const mebibyte = 1024 * 1024

/**
 * How much of this machine's memory the embedded server may keep pages in: an eighth, 64 to 512 MiB. Years of history
 * of a thousand monitors read twice as fast from 256 MiB as from PostgreSQL's own 128 (`npm run bench -- history`).
 */
export function sharedBuffers(memoryBytes: number): string {
  return `${Math.min(512, Math.max(64, Math.floor(memoryBytes / 8 / mebibyte)))}MB`
}

/**
 * How the embedded server runs, given on its command line so that no file in the data folder changes it.
 * Idle it takes 26 MiB (PSS of all its processes, measured), growing with use by the shared buffers.
 */
export const serverSettings: Readonly<Record<string, string>> = {
  // Reached through the socket in its closed folder, and no other way.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  // A statement on `results` locks every day's table: as many locks are held without the table that all processes share.
  max_locks_per_transaction: '256',
  // An acknowledged transaction is on the disk.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // `replica`, not `minimal`: a copy of the running data folder is the one backup that needs no program we lack.
  wal_level: 'replica',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  // Rarer, longer checkpoints: every checkpoint makes the next write of each page a whole page in the log.
  checkpoint_timeout: '10min',
  max_wal_size: '1GB',
  // Statements are short: compiling or sharing them out costs more than it saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '2',
  io_method: 'sync',
  // Rows that change with every check stay in their page, where later statements tidy up; the rest can wait. Each look
  // for what there is to vacuum is a process that reads the catalogues, which costs 30 ms.
  autovacuum_naptime: '60s',
  autovacuum_max_workers: '2',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  // Errors go to their callers too; their statements may hold what should not be in a log.
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
}
