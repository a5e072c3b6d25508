import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, describe, it } from 'node:test'
import type { Change } from '../../core/discovery/discovered-file.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { decideByHand } from './approve.ts'

const container = (name: string, labels: Record<string, string>) => ({ Names: [`/${name}`], Labels: labels, Ports: [] })

describe('perigee discover', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-discover-'))
  after(() => rmSync(folder, { recursive: true }))
  const [socket, output] = [join(folder, 'docker.sock'), join(folder, 'docker.yaml')]
  let answer: unknown = []
  let status = 200
  const asked: (string | undefined)[] = []
  const engine = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  })
  engine.listen(socket)
  await once(engine, 'listening')
  after(() => engine.close())

  async function run(args: string[]) {
    const perigee = spawnPerigee({ args: ['discover', ...args], environment: { DOCKER_HOST: `unix://${socket}` } })
    return [await perigee.ended(), perigee.stdout(), perigee.stderr()] as const
  }

  it('proposes without changing anything', async () => {
    answer = [
      container('web', { 'perigee.url': 'https://a.example', 'perigee.interval_seconds': '1' }),
      container('shop', { caddy: 'shop.example' }),
    ]
    assert.deepEqual(await run(['docker']), [
      0,
      '+ shop.example  https://shop.example/  (container shop: caddy)\n' +
        '! container web: monitors.web.interval_seconds: Must be at least 10.\n' +
        'docker: 1 new, 0 changed, 0 gone, 0 unchanged, 0 declined.\n',
      '',
    ])
    assert.deepEqual(asked, ['/v1.41/containers/json?all=true'])
  })

  it('writes what is approved as a file that the other commands read, and follows what changes', async () => {
    answer = [container('web', { 'perigee.url': 'https://a.example' }), container('shop', { caddy: 'shop.example' })]
    const args = ['docker', '--output', output, '--project', 'shop', '--yes']
    assert.match((await run(args))[2], /^2 of 2 approved, written to /)
    const valid = spawnPerigee({ args: ['validate', '-f', output] })
    assert.equal(await valid.ended(), 0, valid.stderr())
    assert.match(valid.stdout(), /^shop: monitors 2\./)
    answer = [container('web', { 'perigee.url': 'https://b.example' })]
    const [code, text] = await run(args)
    assert.deepEqual(
      [code, text],
      [
        0,
        '~ web  https://b.example  (container web: perigee.url)\n- shop.example  shop.example is no longer there\n' +
          'docker: 0 new, 1 changed, 1 gone, 0 unchanged, 0 declined.\n',
      ],
    )
    const written = readFileSync(output, 'utf8')
    assert.match(written, /https:\/\/b\.example/)
    assert.doesNotMatch(written, /shop\.example/)
    assert.deepEqual(await run(args), [0, 'docker: 0 new, 0 changed, 0 gone, 1 unchanged, 0 declined.\n', ''])
    assert.equal(readFileSync(output, 'utf8'), written)
  })

  it('takes no failure for containers that are gone', async () => {
    const before = readFileSync(output, 'utf8')
    const args = ['docker', '--output', output, '--yes']
    answer = []
    assert.deepEqual((await run(args)).slice(0, 2), [1, ''])
    answer = { message: 'x' }
    assert.match((await run(args))[2], /is not the API of Docker\.$/m)
    status = 500
    assert.match((await run(args))[2], /^Docker cannot be reached at unix:.*: it answered 500$/m)
    status = 200
    const nowhere = await run([...args, '--docker', `unix://${folder}/none.sock`])
    assert.match(nowhere[2], /ENOENT/)
    assert.equal(readFileSync(output, 'utf8'), before)
  })

  it('leaves files alone that people wrote', async () => {
    answer = [container('web', { 'perigee.url': 'https://a.example' })]
    const own = join(folder, 'own.yaml')
    writeFileSync(own, 'project: shop\nmonitors: []\n')
    const [code, , told] = await run(['docker', '--output', own, '--yes'])
    assert.deepEqual([code, readFileSync(own, 'utf8')], [1, 'project: shop\nmonitors: []\n'])
    assert.match(told, /was not written by perigee discover/)
  })

  it('reads what kubectl prints', async () => {
    const file = join(folder, 'objects.json')
    const spec = { rules: [{ host: 'a.example', http: { paths: [{ path: '/' }] } }] }
    writeFileSync(file, JSON.stringify({ kind: 'Ingress', metadata: { name: 'web', namespace: 'shop' }, spec }))
    const [code, text] = await run(['kubernetes', '-f', file, '--json'])
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(text), {
      proposals: [
        {
          origin: 'Ingress shop/web',
          because: 'its rule and its tls',
          monitor: { key: 'shop-a.example', name: 'a.example', kind: 'http', url: 'http://a.example/' },
        },
      ],
      new: ['shop-a.example'],
      changed: [],
      gone: [],
      left_out: [],
    })
    writeFileSync(file, '{"kind": "List"}')
    assert.match((await run(['kubernetes', '-f', file]))[2], /holds no Kubernetes objects/)
  })

  const wrong: [args: string[], says: RegExp][] = [
    [[], /^Name a source: /],
    [['kubernetes'], /^Name the file: /],
    [['docker', '-f', 'x'], /^-f only works with kubernetes/],
    [['docker', '--host', 'a/b'], /^--host: a\/b is neither a host name/],
    [['docker', '--project', 'A'], /^--project: /],
    [['docker', '--yes'], /^--yes only works with --output/],
    [['docker', '--output', 'x.yaml'], /^There is no terminal to ask you in/],
  ]
  it('says what is wrong with its arguments', async () => {
    for (const [args, says] of wrong) {
      const [code, , told] = await run(args)
      assert.equal(code, 2)
      assert.match(told, says)
    }
  })

  it('asks a person, and leaves undecided what was not answered', async () => {
    const changes = ['a', 'b', 'c', 'd'].map((key): Change => ({
      type: 'new',
      proposal: { key, origin: 'x', because: 'y', fields: { url: key } },
    }))
    const decide = async (answers: string) => {
      const input = new PassThrough()
      const terminal = new PassThrough()
      terminal.setEncoding('utf8')
      const lines = answers.split('')
      // One answer for each question, as a person gives them.
      terminal.on('data', (text: string) => {
        if (!text.includes('[q]uit')) return
        const line = lines.shift()
        if (line === undefined) input.end()
        else input.write(`${line}\n`)
      })
      const decisions = await decideByHand(changes, { input, output: terminal })
      return changes.map((change) => decisions.get(change) ?? null)
    }
    assert.deepEqual(await decide('y?n'), [true, false, null, null])
    assert.deepEqual(await decide('nYq'), [false, true, null, null])
    assert.deepEqual(await decide('na'), [false, true, true, true])
    assert.deepEqual(await decide(''), [null, null, null, null])
  })
})
