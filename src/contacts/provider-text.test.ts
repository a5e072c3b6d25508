import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { providerText } from './provider-text.ts'

describe('providerText', () => {
  const cases = [
    ['', null],
    ['  \n', null],
    ['no_team', 'no_team'],
    ['<!doctype html><title>502</title>', null],
    ['{"ok":false,"error":"invalid_token"}', 'invalid_token'],
    ['{"code":40301,"http":403,"error":"forbidden","link":"https://ntfy.sh/docs"}', 'forbidden'],
    ['{"error":{"code":400,"message":"Space not found","status":"NOT_FOUND"}}', 'Space not found'],
    ['{"error":"Forbidden","error_description":"The token has expired"}', 'The token has expired'],
    ['{"error":"Unauthorized","errorCode":401,"errorDescription":"wrong token"}', 'wrong token'],
    ['{"status":"invalid event","errors":["Length of key is wrong","other"]}', 'Length of key is wrong'],
    ['["one","two"]', 'one'],
    ['"said"', 'said'],
    ['{"ok":false}', null],
    ['{"error":', '{"error":'],
    ['{"error":[[[[["deep"]]]]]}', null],
    ['[[[["deep"]]]]', 'deep'],
    ['[[[[["deeper"]]]]]', null],
    ['{"error":{"error":{"error":{"error":"deep"}}}}', 'deep'],
    ['{"error":{"error":{"error":{"error":{"error":"deeper"}}}}}', null],
    ['{"error":" x "}', 'x'],
    ['{"error":""}', null],
    ['{"errors":["one"]}', 'one'],
    ['{"errors":[]}', null],
    ['{"errors":[7]}', null],
    ['{"error":null,"title":"said"}', 'said'],
    ['{"error":401}', null],
  ] as const
  for (const [body, said] of cases)
    it(`reads ${JSON.stringify(body)} as ${said}`, () => assert.equal(providerText({ headers: {}, body }), said))

  it('reads no page, however it begins', () =>
    assert.equal(providerText({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'Gone' }), null))

  it('throws at nothing', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const said = providerText({ headers: {}, body })
        assert.ok(said === null || said.length > 0)
      }),
    ))
})
