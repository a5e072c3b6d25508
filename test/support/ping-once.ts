// Pings this machine once as a check does, and prints what came of it. Run by src/kinds/ping.test.ts as a user who may
// not ping.
import { ping } from '#kinds/ping.ts'
import { checkOnce } from './check.ts'

const seen = await checkOnce(ping, { url: '127.0.0.1', options: { packets: 1 } }).then(
  ({ status }) => status,
  (error: unknown) => String(error),
)
process.stdout.write(seen)
