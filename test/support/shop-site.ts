// A shop where visitors sign in: a form with a token of its own, a cookie, and scripts that ask with another token.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { httpServer } from './http-server.ts'

export const shopAccount = { user: 'ann@example.com', password: 'correct horse' }

const orderScript = `
  const { access } = await (await fetch('/api/session')).json()
  const order = await fetch('/api/orders', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + access.token, 'content-type': 'application/json' },
    body: JSON.stringify({ item: 7 }),
  })
  await fetch('/api/orders/' + (await order.json()).id)
  document.body.append('Ordered')
`

function issue(known: Set<string>): string {
  const token = randomBytes(16).toString('hex')
  known.add(token)
  return token
}

/** Every visit gets tokens of its own, and only they are good for it. */
export async function startShopSite(): Promise<{ url: string }> {
  const forms = new Set<string>()
  const visits = new Map<string, { token: string; orders: Set<string> }>()
  const { port } = await httpServer((request, response) => void answer(request, response))
  return { url: `http://127.0.0.1:${port}` }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { method, url = '', headers } = request
    const send = (status: number, type: string, content: string): void =>
      void response.writeHead(status, { 'content-type': type }).end(content)
    const page = (content: string): void => send(200, 'text/html', `<!doctype html><title>Shop</title>${content}`)
    const json = (status: number, value: object): void => send(status, 'application/json', JSON.stringify(value))
    const visit = visits.get(/session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '')
    const isAllowed = visit !== undefined && headers.authorization === `Bearer ${visit.token}`
    switch (`${method} ${url.replace(/\/orders\/.*/, '/orders/id')}`) {
      case 'GET /':
        return page(
          `<link rel="stylesheet" href="/shop.css"><form method="post" action="/login"><input name="user">` +
            `<input name="password" type="password"><input type="hidden" name="form_key" value="${issue(forms)}">` +
            '<button>Sign in</button></form>',
        )
      case 'POST /login': {
        const given = new URLSearchParams(body)
        const isRight =
          given.get('user') === shopAccount.user &&
          given.get('password') === shopAccount.password &&
          forms.delete(given.get('form_key') ?? '')
        if (!isRight) return send(403, 'text/plain', 'No')
        const session = randomBytes(8).toString('hex')
        visits.set(session, { token: randomBytes(16).toString('hex'), orders: new Set() })
        return void response.writeHead(303, { location: '/cart', 'set-cookie': `session=${session}; Path=/` }).end()
      }
      case 'POST /api/login': {
        const { user, password } = JSON.parse(body)
        if (user !== shopAccount.user || password !== shopAccount.password) return json(401, {})
        const session = randomBytes(8).toString('hex')
        const token = randomBytes(16).toString('hex')
        visits.set(session, { token, orders: new Set() })
        response.setHeader('set-cookie', `session=${session}; Path=/`)
        return json(200, { access: { token } })
      }
      case 'GET /cart':
        return visit === undefined
          ? send(403, 'text/plain', 'No')
          : page(`<script type="module">${orderScript}</script>`)
      case 'GET /api/session':
        return visit === undefined ? json(401, {}) : json(200, { access: { token: visit.token } })
      case 'POST /api/orders':
        return isAllowed ? json(201, { id: issue(visit.orders) }) : json(401, {})
      case 'GET /api/orders/id':
        return visit?.orders.has(url.split('/').at(-1) ?? '') === true ? json(200, { item: 7 }) : json(404, {})
      default:
        return url === '/shop.css' ? send(200, 'text/css', '') : json(404, {})
    }
  }
}
