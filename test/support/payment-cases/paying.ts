// Credit, credentials and quotes (docs/payments.md).
import { testApi } from '../api.ts'
import { createMonitor } from '../monitors.ts'
import { answerTo, challengeOf, pay, send } from '../paying.ts'
import { type Case, change, create, quote, renew, site, three, topUp, workspace } from './requests.ts'

const quarterHourMs = 15 * 60_000

export const payingCases: readonly Case[] = [
  ['Top-up', '500 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 500))],
  [
    'Top-up',
    '500 cents with 1,000 cents of credit',
    async (api) => send(api, topUp((await workspace(api, 'free', 1000)).token, 500)),
  ],
  ['Top-up', 'the same, paid', async (api) => (await pay(api, topUp((await workspace(api, 'free')).token, 500))).paid],
  [
    'Top-up',
    'the same credential again',
    async (api) => {
      const request = topUp((await workspace(api, 'free')).token, 500)
      const { credential } = await pay(api, request)
      return send(api, request, credential)
    },
  ],
  ['Top-up', '49 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 49))],
  [
    'Top-up',
    '500 cents while payments are off',
    async () => {
      const off = await testApi()
      return off.post('/credits', { amount_cents: 500 })
    },
  ],
  ['Top-up', '50 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 50))],
  ['Top-up', '100,000 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 100_000))],
  ['Top-up', '100,001 cents', async (api) => send(api, topUp((await workspace(api, 'free')).token, 100_001))],
  [
    'Top-up',
    'a card that is declined',
    async (api) => (await pay(api, topUp((await workspace(api, 'free')).token, 500), 'spt_test_declined')).paid,
  ],
  ['Payment', 'a credential that cannot be read', async (api) => send(api, create(null), 'e30')],
  [
    'Payment',
    'the credential of another request',
    async (api) => send(api, create(null, { locations: three }), answerTo(challengeOf(await send(api, create(null))))),
  ],
  [
    'Payment',
    'a credential whose challenge has expired',
    async (api) => {
      const credential = answerTo(challengeOf(await send(api, create(null, {}, 'late'))))
      api.pass(quarterHourMs)
      return send(api, create(null, {}, 'late'), credential)
    },
  ],
  [
    'Payment',
    'a card that is declined',
    async (api) => (await pay(api, create(null, {}, 'declined'), 'spt_test_declined')).paid,
  ],
  [
    'Payment',
    'a processor that does not answer',
    async (api) => (await pay(api, create(null, {}, 'slow'), 'spt_test_timeout')).paid,
  ],
  [
    'Payment',
    'the same credential again',
    async (api) => {
      const { credential } = await pay(api, create(null, {}, 'slower'), 'spt_test_timeout')
      return send(api, create(null, {}, 'slower'), credential)
    },
  ],
  [
    'Payment',
    'a credential that credit makes needless',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      const credential = answerTo(challengeOf(await send(api, create(token))))
      await pay(api, topUp(token, 50))
      return send(api, create(token), credential)
    },
  ],
  [
    'Payment',
    'the credential of another workspace',
    async (api) => {
      const [mine, theirs] = [await workspace(api, 'pay_as_you_go'), await workspace(api, 'pay_as_you_go')]
      const credential = answerTo(challengeOf(await send(api, create(theirs.token))))
      return send(api, create(mine.token), credential)
    },
  ],
  [
    'Payment',
    'two credentials',
    async (api) => {
      const credential = answerTo(challengeOf(await send(api, create(null))))
      return send(api, create(null), `${credential}, Payment ${credential}`)
    },
  ],
  [
    'Payment',
    'a create while payments are off',
    async () => (await testApi({ plan: 'pay_as_you_go' })).post('/monitors', site),
  ],
  [
    'Quote',
    'a create with the key of one that is done',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      await pay(api, create(token, {}, 'k'))
      return send(api, quote(create(token, {}, 'k')))
    },
  ],
  ['Quote', 'a create without a token', async (api) => send(api, quote(create(null)))],
  [
    'Quote',
    'a create without a token with the key of one that is done',
    async (api) => {
      await pay(api, create(null, {}, 'quoted'))
      return send(api, quote(create(null, {}, 'quoted')))
    },
  ],
  [
    'Quote',
    'a create with the key of another request',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go')
      await pay(api, create(token, {}, 'k'))
      return send(api, quote(create(token, { locations: three }, 'k')))
    },
  ],
  [
    'Quote',
    'a create with a free plan slot',
    async (api) => send(api, quote(create((await workspace(api, 'free')).token, { billing_period: 'lifetime' }))),
  ],
  [
    'Quote',
    'a create for life, 1 cent of credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 1)
      return send(api, quote(create(token, { billing_period: 'lifetime' })))
    },
  ],
  [
    'Quote',
    'a change that adds 2 locations, 1 cent of credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 2)
      return send(api, quote(change(token, (await createMonitor(api, {}, token)).id, { locations: three })))
    },
  ],
  [
    'Quote',
    'a renewal of 3 locations, no credit',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 3)
      return send(api, quote(renew(token, (await createMonitor(api, { locations: three }, token)).id)))
    },
  ],
  [
    'Quote',
    'a renewal of a monitor that is paid for life',
    async (api) => {
      const { token } = await workspace(api, 'pay_as_you_go', 50)
      return send(api, quote(renew(token, (await createMonitor(api, { billing_period: 'lifetime' }, token)).id)))
    },
  ],
]
