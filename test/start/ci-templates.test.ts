// The action for GitHub and the template for GitLab: their commands, run as those systems run them, with the program of
// this checkout in place of the npm package.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { serviceFolder } from '../support/service-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const token = `pgk_${'a1'.repeat(20)}`
const actionFolder = join(root, 'deploy', 'github-action')

const input = z.strictObject({
  description: z.string(),
  required: z.boolean().optional(),
  default: z.string().optional(),
})
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), input),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.tuple([
      z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()) }),
      z.strictObject({
        id: z.string(),
        shell: z.literal('bash'),
        run: z.string(),
        env: z.record(z.string(), z.string()),
      }),
    ]),
  }),
})
const jobsSchema = z.record(z.string(), z.looseObject({ script: z.array(z.string()).optional() }))

describe('templates for CI', async () => {
  const { path: folder, start } = serviceFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  // What npx does with a package that is there: `npx --yes <package> <arguments>`.
  const npx = `#!/bin/sh\n[ "$1 $2" = '--yes the-package' ] || exit 90\nshift 2\nexec "${process.execPath}" "${join(root, 'bin/perigee.js')}" "$@"\n`
  writeFileSync(join(bin, 'npx'), npx)
  chmodSync(join(bin, 'npx'), 0o755)
  const perigee = start({ PERIGEE_OWNER_TOKEN: token, PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  const target = await httpServer((_, response) => response.end('fine'))
  writeFileSync(
    join(folder, 'shop.yaml'),
    `project: shop\nmonitors: [{ key: site, name: Site, url: "http://127.0.0.1:${target.port}/" }]\n`,
  )
  writeFileSync(join(folder, 'empty.yaml'), 'project: empty\n')
  const run = async (script: string, environment: Record<string, string>) => {
    const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, ...environment }
    const child = spawn('bash', ['-e', '-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const [code] = await once(child, 'close')
    return { code, output }
  }

  describe('the action for GitHub', () => {
    const action = actionSchema.parse(load(readFileSync(join(actionFolder, 'action.yml'), 'utf8')))
    const [, step] = action.runs.steps

    it('hands every input to its script, and only inputs that it has', () => {
      const named = Object.values(step.env).map((text) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '')
      assert.deepEqual(named.toSorted(), Object.keys(action.inputs).toSorted())
      assert.equal(step.run.includes('${{'), false)
    })

    /** As GitHub does: inputs that are not given have their defaults. */
    const act = async (given: Record<string, string>) => {
      const values = Object.fromEntries(
        Object.entries(step.env).map(([name, text]) => {
          const wanted = text.slice('${{ inputs.'.length, -' }}'.length)
          return [name, given[wanted] ?? action.inputs[wanted]?.default ?? '']
        }),
      )
      const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
      for (const file of Object.values(files)) writeFileSync(file, '')
      const ran = await run(step.run, { ...values, ...files, GITHUB_ACTION_PATH: actionFolder })
      return {
        ...ran,
        result: readFileSync(files.GITHUB_OUTPUT, 'utf8'),
        summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
      }
    }
    const common = { package: 'the-package', path: 'shop.yaml' }

    it('tells a difference, and fails by it only where that is wanted', async () => {
      const plan = { ...common, command: 'plan', url, token }
      const told = await act(plan)
      assert.deepEqual([told.code, told.result], [0, 'drift=true\n'], told.output)
      assert.match(told.summary, /^\*\*perigee plan\*\*\n\n {4}\+ monitors\.site/)
      assert.equal((await act({ ...plan, 'fail-on-drift': 'true' })).code, 2)
      const none = await act({ ...plan, path: 'empty.yaml' })
      assert.deepEqual([none.code, none.result], [0, 'drift=false\n'], none.output)
      const refused = await act({ ...plan, token: `pgk_${'b'.repeat(40)}` })
      assert.deepEqual([refused.code, refused.result], [1, ''])
    })

    it('checks, and writes a report', async () => {
      const told = await act({ ...common, command: 'check', junit: 'action.xml' })
      assert.equal(told.code, 0, told.output)
      assert.match(told.output, /^up +site +Site: /)
      assert.ok(existsSync(join(folder, 'action.xml')))
    })

    it('runs no other command', async () => {
      const told = await act({ ...common, command: 'token; id' })
      assert.deepEqual([told.code, told.output], [2, '::error::command: Must be validate, plan, apply or check.\n'])
    })
  })

  describe('the template for GitLab', () => {
    const jobs = jobsSchema.parse(load(readFileSync(join(root, 'deploy/gitlab/perigee.gitlab-ci.yml'), 'utf8')))

    for (const [job, code, output] of [
      ['.perigee-validate', 0, /^shop: monitors 1\./],
      ['.perigee-plan', 2, /^\+ monitors\.site/],
      ['.perigee-check', 0, /^up +site/],
    ] as const)
      it(`runs ${job}`, async () => {
        const variables = { PERIGEE_PACKAGE: 'the-package', PERIGEE_FILES: 'shop.yaml' }
        const ran = await run(jobs[job]?.script?.join('\n') ?? assert.fail(job), {
          ...variables,
          PERIGEE_URL: url,
          PERIGEE_TOKEN: token,
        })
        assert.equal(ran.code, code, ran.output)
        assert.match(ran.output, output)
      })
  })
})
