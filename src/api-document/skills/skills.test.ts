import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '#operations/index.ts'
import { createEntrance } from '#api-document/entrance/entrance.ts'
import { indexMarkdown } from '#api-document/entrance/documents.ts'
import { testApi } from '../../../test/support/api.ts'
import { rpc } from '../../../test/support/mcp-call.ts'
import { skillDocuments, skillPath } from './skill-documents.ts'
import { namesIn, readSkill, skillNames } from './skills.ts'

const publicUrl = 'http://perigee.test'
const at = { address: '192.0.2.1' }

function clock(): Date {
  return new Date()
}

describe('a guide', async () => {
  const api = await testApi()
  const entrance = createEntrance({ publicUrl, version: '1.2.3', operations, securityContact: null, now: clock })
  const document = JSON.stringify(await (await api.app.request(`${publicUrl}/openapi.json`, {}, at)).json())
  const tools = JSON.stringify((await rpc(api, ['tools/list'])).result)
  const byName = new Map(operations.map((operation) => [operation.name, operation]))

  for (const { path, text } of skillDocuments({ publicUrl, operations })) {
    it(`names nothing that is not there: ${path}`, () => {
      const guide = text.slice(0, text.indexOf('## Where it is'))
      const words = Array.from(guide.matchAll(/`([^`]+)`/g), ([, word = '']) => word.split(',')).flat()
      assert.ok(words.length > 0)
      // A name of an operation, an argument, a member or a value of one.
      for (const word of words) assert.ok(document.includes(`"${word}"`) || tools.includes(`"${word}"`), word)
    })

    it(`says of each operation where it is: ${path}`, () => {
      const listed = Array.from(text.matchAll(/^- `(\w+)`: ([A-Z]+) (\S+)$/gm), ([, ...found]) => found)
      const called = namesIn(text).filter((name) => byName.has(name))
      assert.ok(called.length >= 3)
      assert.deepEqual(
        listed,
        called.map((name) => {
          const { method = '', path: below = '' } = byName.get(name) ?? {}
          return [name, method, `${publicUrl}/api/v1${below}`]
        }),
      )
      for (const [name = ''] of listed) assert.equal(byName.get(name)?.surface, 'api', name)
    })

    it(`leads to no address that is not there: ${path}`, async () => {
      const addresses = [...text.matchAll(/http:\/\/perigee\.test(\/[\w./-]*\w)/g)].map(([, found = '']) => found)
      const documents = addresses.filter((found) => !found.startsWith('/api/v1'))
      assert.deepEqual(new Set(documents), new Set(['/mcp', '/auth.md', '/openapi.json']))
      for (const found of documents)
        assert.notEqual((await api.app.request(publicUrl + found, {}, at)).status, 404, found)
    })

    it(`is served, listed, and can be kept as it is: ${path}`, async () => {
      const response = await entrance.request(publicUrl + path, {}, at)
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/markdown; charset=utf-8'])
      assert.equal(await response.text(), text)
      assert.ok(indexMarkdown(publicUrl).includes(`](${publicUrl}${path}):`))
      const [, name = '', description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? []
      // https://agentskills.io/specification
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      assert.equal(path, skillPath(name))
      assert.ok(description.length > 0 && description.length <= 1024 && !description.includes(': '))
      assert.ok(text.length < 4_500, `${text.length} characters`)
    })
  }

  it('has a file for each name', () => {
    for (const name of skillNames) assert.equal(readSkill(name).name, name)
  })
})
