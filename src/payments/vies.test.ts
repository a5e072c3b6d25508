import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { openNet } from '../../test/support/net.ts'
import { createVies } from './vies.ts'

describe('VIES', async () => {
  const asked: { method: string | undefined; path: string | undefined; type: string | undefined; body: string }[] = []
  let answer = { status: 200, body: '' }
  const { port } = await httpServer((request, response) => void reply(request, response))
  const vies = createVies(openNet, `http://127.0.0.1:${port}/rest-api`)

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request)
    asked.push({ method: request.method, path: request.url, type: request.headers['content-type'], body })
    const status = request.url === '/elsewhere' ? 200 : answer.status
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' })
    response.end(answer.body)
  }

  it('is asked with prefix and number apart', async () => {
    answer = { status: 200, body: '{"countryCode":"EL","vatNumber":"094259216","valid":true,"name":"---"}' }
    assert.equal(await vies('EL094259216'), true)
    assert.deepEqual(asked, [
      {
        method: 'POST',
        path: '/rest-api/check-vat-number',
        type: 'application/json',
        body: '{"countryCode":"EL","vatNumber":"094259216"}',
      },
    ])
  })

  const answers = [
    ['a registered id', 200, '{"valid":true}', true],
    ['a registered id under its other name', 200, '{"isValid":true,"userError":"VALID"}', true],
    ['an id that is not registered', 200, '{"valid":false}', false],
    ['an id that is not registered, under the other name', 200, '{"isValid":false,"userError":"INVALID"}', false],
    [
      'a member state that does not answer',
      200,
      '{"actionSucceed":false,"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}',
      null,
    ],
    ['too many questions', 429, '{"valid":true}', null],
    ['an error', 500, '{"valid":false}', null],
    ['a redirect, which is not followed', 302, '{"valid":true}', null],
    ['something that is no JSON', 200, '<html>', null],
    ['nothing', 200, '', null],
    ['text where a truth value belongs', 200, '{"valid":"true"}', null],
    ['an endless answer', 200, `{"valid":true,"name":"${'x'.repeat(70_000)}"}`, null],
  ] as const
  for (const [what, status, body, found] of answers)
    it(`tells ${found} of ${what}`, async () => {
      answer = { status, body }
      assert.equal(await vies('DE811569869'), found)
    })

  it('tells nothing while nobody is there, or where its address may not be dialled', async () => {
    assert.equal(await createVies(openNet, 'http://127.0.0.1:1')('DE811569869'), null)
    const guarded = createNet({ allowPrivate: 'none' })
    assert.equal(await createVies(guarded, `http://127.0.0.1:${port}`)('DE811569869'), null)
  })
})
