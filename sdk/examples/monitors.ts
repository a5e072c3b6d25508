// Creates a monitor where there is none of its name, and prints what is down:
//
//   PERIGEE_URL=https://up.example.com PERIGEE_TOKEN=pgk_… node monitors.ts https://shop.example.com/
import { Perigee, ValidationError } from '@perigee/sdk'

const { PERIGEE_URL: url = 'http://127.0.0.1:3000', PERIGEE_TOKEN: token } = process.env
const [target = 'https://example.com/'] = process.argv.slice(2)
const perigee = new Perigee({ url, token })

try {
  const { data: known } = await perigee.monitors.list({ name: target, fields: ['id', 'current_status'] })
  if (known.length === 0) {
    const { data: monitor } = await perigee.monitors.create({
      name: target,
      url: target,
      interval_seconds: 300,
      check_options: { max_latency_ms: 2000 },
    })
    console.log(`created ${monitor.name}`)
  }
  for await (const { name, current_status: status } of perigee.monitors.listAll({ status: ['down', 'degraded'] }))
    console.log(`${name} is ${status}`)
} catch (error) {
  if (!(error instanceof ValidationError)) throw error
  for (const [field, problems] of Object.entries(error.fields)) console.error(`${field}: ${problems.join(' ')}`)
  process.exitCode = 1
}
