// Loaded into every test process: a signal ends it through its `exit` handlers, so that what it started ends too.
import { constants } from 'node:os'

// The runner itself has better ways to end.
if (process.env['NODE_TEST_CONTEXT'] !== undefined)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    // `once` would be wrong: a second signal, from the runner, would then end the process in the midst of these
    // handlers.
    process.on(name, () => process.exit(128 + constants.signals[name]))
