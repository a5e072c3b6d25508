// A collection of Postman in the form of version 2.1, with a request of every sort.
import { shopAccount } from './shop-site.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

export function collectionOf(item: readonly object[], more: object = {}): string {
  return JSON.stringify({ info: { name: 'Shop', schema }, item, ...more })
}

export function testEvent(...exec: string[]): object[] {
  return [{ listen: 'test', script: { type: 'text/javascript', exec } }]
}

/** Signs in, orders, and asks for the order. */
export function postmanExample(site: string): string {
  return collectionOf(
    [
      {
        name: 'Order',
        description: 'What a customer does every day.',
        item: [
          {
            name: 'Sign in',
            event: testEvent(
              'const answer = pm.response.json();',
              '// Later requests send it.',
              'pm.environment.set("access-token", answer.access.token);',
              'pm.test("is quick", () => pm.expect(pm.response.responseTime).to.be.below(2000));',
              'pm.test("is right", function () {',
              '    pm.response.to.have.status(200);',
              '});',
            ),
            request: {
              method: 'POST',
              url: { raw: '{{site}}/api/login', host: ['{{site}}'], path: ['api', 'login'] },
              header: [{ key: 'Accept', value: 'application/json' }],
              body: {
                mode: 'raw',
                raw: '{"user": "{{user}}", "password": "{{password}}"}',
                options: { raw: { language: 'json' } },
              },
            },
          },
          {
            name: 'Order something',
            event: testEvent(
              "pm.collectionVariables.set('order', pm.response.json().id)",
              'pm.test("is made", () => { pm.response.to.have.status(201) })',
            ),
            request: {
              method: 'POST',
              url: '{{site}}/api/orders',
              header: [],
              body: { mode: 'raw', raw: '{"item": 7}', options: { raw: { language: 'json' } } },
            },
          },
          {
            name: 'See the order',
            request: {
              method: 'GET',
              url: {
                raw: '{{site}}/api/orders/:id',
                host: ['{{site}}'],
                path: ['api', 'orders', ':id'],
                variable: [{ key: 'id', value: '{{order}}' }],
              },
              header: [],
            },
          },
        ],
      },
    ],
    {
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access-token}}', type: 'string' }] },
      variable: [
        { key: 'site', value: site },
        { key: 'user', value: shopAccount.user },
        { key: 'password', value: shopAccount.password, type: 'string' },
      ],
    },
  )
}
