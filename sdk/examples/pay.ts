// Creates a monitor without an account, and pays for it with a card:
//
//   PERIGEE_URL=https://up.example.com node pay.ts https://shop.example.com/ 0.50 spt_…
//
// The second argument is the budget in dollars. A service in the sandbox takes spt_test_ok.
import { credentialFor, PaymentRequiredError, Perigee } from '@perigee/sdk'

const { PERIGEE_URL: url = 'http://127.0.0.1:3000' } = process.env
const [target = 'https://example.com/', budget = '0.50', spt = 'spt_test_ok'] = process.argv.slice(2)
const perigee = new Perigee({ url })
const monitor = { name: target, url: target }
/** The same for both calls, which makes them one: whatever breaks, nothing is paid twice. */
const idempotencyKey = crypto.randomUUID()

const asked = await perigee.monitors.create(monitor, { idempotencyKey }).catch((error: unknown) => error)
if (!(asked instanceof PaymentRequiredError)) throw asked
const card = asked.challenges.find(({ method }) => method === 'card')
if (card === undefined) throw new Error('The service takes no cards.')
const { amount } = card.request as { amount: string }
if (!(Number(amount) <= Number(budget) * 100))
  throw new Error(`It costs ${amount} cents, and the budget is $${budget}.`)
console.log(`paying ${amount} cents`)
const payment = credentialFor(card, { spt })
const { data, api_key: token } = await perigee.monitors.create(monitor, { idempotencyKey, payment })
console.log(`created ${data.name}, with the token ${token}`)
