// Checks deploy/ without the systems that run it: every name in its files exists in the project.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { load, loadAll } from 'js-yaml'
import { z } from 'zod'
import { ConfigError, readConfig } from '#config/config.ts'
import { allRoles, roles } from '#config/roles.ts'
import { deployFolder, readCompose, rolesOf, substituted } from '../support/compose.ts'
import { findProgram } from '../support/peers/program.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const noSystemd = findProgram('systemd-analyze') === null ? 'systemd is not installed' : false
const key = Buffer.alloc(32, 1).toString('base64')

function file(path: string): string {
  return readFileSync(join(deployFolder, path), 'utf8')
}

/** Reads the variables as a start would; a variable that names a file gets the content that such a file holds. */
function assertUnderstood(environment: Readonly<Record<string, string>>, what: string): void {
  const contents: Record<string, string> = {
    PERIGEE_SECRET_KEY: key,
    PERIGEE_DATABASE_URL: 'postgres://perigee:x@postgres/perigee',
    PERIGEE_METRICS_TOKEN: 'x'.repeat(48),
    PERIGEE_OWNER_TOKEN: `pgk_${'x'.repeat(40)}`,
    PERIGEE_SMTP_URL: 'smtp://127.0.0.1:25',
  }
  const given = Object.entries(environment).map(([name, text]): [string, string] => {
    if (!name.endsWith('_FILE')) return [name, text]
    const secret = name.slice(0, -'_FILE'.length)
    return [secret, contents[secret] ?? assert.fail(`${what}: ${name} is no secret`)]
  })
  try {
    const { unknownVariables } = readConfig(Object.fromEntries(given))
    assert.deepEqual(unknownVariables, [], what)
  } catch (error) {
    if (error instanceof ConfigError) assert.fail(`${what}: ${error.message}`)
    throw error
  }
}

describe('deploy/compose.yaml', () => {
  const compose = readCompose()
  const own = rolesOf(compose)

  it('has two processes of each role, at three locations', () => {
    const counts = new Map<string, number>()
    for (const { role, service } of own) counts.set(role, (counts.get(role) ?? 0) + (service.deploy?.replicas ?? 1))
    assert.deepEqual(
      [...counts],
      [
        ['api', 2],
        ['engine', 2],
        ['jobs', 2],
        ['prober', 6],
      ],
    )
    const codes = own.map(({ service }) => service.environment['PERIGEE_LOCATIONS']?.split('=')[0])
    assert.deepEqual(
      codes.filter((code) => code !== undefined),
      ['ams', 'nyc', 'sin'],
    )
    assert.deepEqual(z.array(z.string()).parse(compose.services['keys']?.['entrypoint']).slice(-3), [
      'ams',
      'nyc',
      'sin',
    ])
  })

  for (const { name, service } of own)
    it(`gives ${name} variables that a start understands, and no right that it does not need`, () => {
      const environment = Object.fromEntries(
        Object.entries(service.environment).map(([variable, text]) => [variable, substituted(text)]),
      )
      assertUnderstood(environment, name)
      assert.ok(service.read_only)
      assert.deepEqual(service.cap_drop, ['ALL'])
      assert.ok(service.security_opt.includes('no-new-privileges:true'))
      assert.equal(substituted(service.user ?? '', { PERIGEE_UID: '1000', PERIGEE_GID: '1000' }), '1000:1000')
      assert.throws(() => substituted(service.user ?? ''), /Run prepare\.sh first/)
      const read = Object.values(environment).flatMap((text) => /^\/run\/secrets\/(.+)$/.exec(text)?.[1] ?? [])
      assert.deepEqual(read.toSorted(), service.secrets.toSorted(), 'it has the secrets that it reads, and no others')
    })

  it('keeps probers away from the database and from the keys of others', () => {
    for (const { role, service } of own)
      if (role === 'prober') {
        assert.ok(!service.networks.includes('core'))
        assert.deepEqual(
          service.secrets.filter((secret) => !/^(metrics-token|nats-[a-z]{3})$/.test(secret)),
          [],
        )
        assert.equal(service.secrets.length, 2)
      }
    assert.deepEqual(compose.services['postgres']?.networks, ['core'])
    assert.equal(compose.networks['core']?.internal, true)
  })

  it('names only services, networks, volumes and secrets that it has', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const network of service.networks) assert.ok(network in compose.networks, `${name}: ${network}`)
      for (const secret of service.secrets) assert.ok(secret in compose.secrets, `${name}: ${secret}`)
      for (const [other, { condition }] of Object.entries(service.depends_on)) {
        assert.ok(other in compose.services, `${name}: ${other}`)
        assert.equal(condition, 'service_healthy')
        assert.ok(compose.services[other]?.healthcheck !== undefined)
      }
      for (const volume of service.volumes) {
        const [source = ''] = volume.split(':')
        assert.ok(source.startsWith('./') || source in compose.volumes, `${name}: ${volume}`)
      }
      if (name !== 'keys') assert.ok(service.deploy !== undefined, `${name} has limits`)
    }
  })

  it('has the secrets that prepare.sh makes, once, for their owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-deploy-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(join(deployFolder, 'prepare.sh'), join(folder, 'prepare.sh'))
    const run = (): string => execFileSync('sh', [join(folder, 'prepare.sh')], { encoding: 'utf8', stdio: 'pipe' })
    run()
    const made = Object.values(compose.secrets).filter(({ file: path }) => path.startsWith('./secrets/'))
    assert.equal(made.length, 6)
    const read = (): string[] => made.map(({ file: path }) => readFileSync(join(folder, path), 'utf8'))
    for (const { file: path } of made) assert.equal(statSync(join(folder, path)).mode & 0o777, 0o600, path)
    const first = read()
    run()
    assert.deepEqual(read(), first)
    const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8').trim()
    const { secretKey, databaseUrl, metricsToken, owner, smtpUrl } = readConfig({
      PERIGEE_SECRET_KEY: secret('secret-key'),
      PERIGEE_DATABASE_URL: secret('database-url'),
      PERIGEE_METRICS_TOKEN: secret('metrics-token'),
      PERIGEE_OWNER_TOKEN: secret('owner-token'),
      PERIGEE_SMTP_URL: secret('smtp-url'),
    })
    assert.equal(secretKey?.length, 32)
    assert.equal(databaseUrl, `postgres://perigee:${secret('postgres-password')}@postgres/perigee`)
    assert.ok(metricsToken !== null && owner.token !== null && smtpUrl !== null)
    assert.match(readFileSync(join(folder, '.env'), 'utf8'), /^PERIGEE_UID=[1-9]\d*\nPERIGEE_GID=[1-9]\d*\n$/)
  })
})

const container = z.looseObject({
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })),
  livenessProbe: z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  readinessProbe: z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  securityContext: z.looseObject({
    readOnlyRootFilesystem: z.literal(true),
    allowPrivilegeEscalation: z.literal(false),
  }),
})
const labels = z.record(z.string(), z.string())
const deployment = z.looseObject({
  kind: z.literal('Deployment'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.looseObject({
        enableServiceLinks: z.literal(false),
        securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
        containers: z.tuple([container]),
      }),
    }),
  }),
})
const configMap = z.looseObject({
  kind: z.literal('ConfigMap'),
  metadata: z.looseObject({ name: z.string() }),
  data: labels,
})
const budget = z.looseObject({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.looseObject({ selector: z.object({ matchLabels: labels }) }),
})

describe('deploy/kubernetes', () => {
  const documents = z.array(z.looseObject({ kind: z.string() })).parse(loadAll(file('kubernetes/perigee.yaml')))
  const of = <T>(schema: z.ZodType<T>, kind: string): T[] =>
    documents.filter((document) => document.kind === kind).map((document) => schema.parse(document))
  const deployments = of(deployment, 'Deployment')
  const maps = new Map(of(configMap, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]))

  it('has every role, and lets none of them lose more than one process at a time', () => {
    assert.deepEqual(new Set(deployments.map(({ spec }) => spec.template.spec.containers[0].args[0])), allRoles)
    const guarded = of(budget, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels)
    for (const { metadata, spec } of deployments) {
      const own = spec.template.metadata.labels
      const isOf = (selector: Record<string, string>): boolean =>
        Object.entries(selector).every(([name, value]) => own[name] === value)
      assert.ok(isOf(spec.selector.matchLabels), metadata.name)
      assert.equal(guarded.filter(isOf).length, 1, metadata.name)
    }
  })

  it('lets an api finish what is still sent to it, within the time that it has', () => {
    const { template } = deployments.find(({ metadata }) => metadata.name === 'api')?.spec ?? assert.fail()
    const { terminationGracePeriodSeconds: grace, containers } = z
      .looseObject({
        terminationGracePeriodSeconds: z.int(),
        containers: z.tuple([
          z.looseObject({
            lifecycle: z.object({
              preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.coerce.number()]) }) }),
            }),
          }),
        ]),
      })
      .parse(template.spec)
    const [, pause] = containers[0].lifecycle.preStop.exec.command
    const longestStopSeconds = 20
    assert.ok(pause > 0 && pause + longestStopSeconds < grace)
  })

  for (const { metadata, spec } of deployments)
    it(`gives ${metadata.name} variables that a start understands, and asks for its health`, () => {
      const [{ env, envFrom, livenessProbe, readinessProbe, ports }] = spec.template.spec.containers
      const shared = envFrom.map(({ configMapRef: { name } }) => maps.get(name) ?? assert.fail(name))
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      assertUnderstood(Object.assign({}, ...shared, own), metadata.name)
      assert.deepEqual([livenessProbe.httpGet.path, readinessProbe.httpGet.path], ['/healthz', '/readyz'])
      assert.deepEqual(ports, [{ name: 'http', containerPort: 3000 }])
    })
})

describe('deploy/systemd', () => {
  for (const path of globSync('systemd/*.service', { cwd: deployFolder }))
    it(`starts a command that there is, with variables that it understands, in ${path}`, () => {
      const unit = file(path)
      const environment = unit
        .matchAll(/^Environment=(.*)$/gm)
        .flatMap(([, pairs = '']) => pairs.split(' '))
        .map((pair) => pair.split('='))
        .filter(([name = '']) => name.startsWith('PERIGEE_'))
        .map(([name = '', value = '']): [string, string] => [name, value])
      const given = Object.fromEntries(environment)
      if ('PERIGEE_NATS_CREDENTIALS' in given) given['PERIGEE_NATS_URL'] = 'tls://nats.example.com'
      assertUnderstood(given, path)
      const [, command = ''] = /^ExecStart=.* bin\/perigee\.js (\S+)/m.exec(unit) ?? []
      assert.ok(['start', ...roles, '"$${0%%%%-*}"\''].includes(command), command)
      for (const setting of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'User=perigee', 'CapabilityBoundingSet='])
        assert.ok(unit.split('\n').includes(setting), setting)
    })

  it('is taken by systemd without a word', { skip: noSystemd }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-units-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    for (const [path, name] of [
      ['perigee.service', 'perigee.service'],
      ['perigee@.service', 'perigee@engine-2.service'],
      ['perigee-prober@.service', 'perigee-prober@ams.service'],
    ] as const) {
      // The one thing that is not on this machine.
      const unit = file(`systemd/${path}`).replaceAll('/opt/perigee/node_modules/.bin/node', process.execPath)
      writeFileSync(join(folder, name), unit)
      const verified = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' })
      assert.deepEqual([verified.status, verified.stderr], [0, ''], name)
    }
  })

  it('knows the role from the name of an instance, whatever follows the dash', () => {
    const [, script = ''] = /-c '(.*)' %i$/m.exec(file('systemd/perigee@.service')) ?? []
    const said = script
      .replaceAll('$$', '$')
      .replaceAll('%%', '%')
      .replace(/^exec .*bin\/perigee\.js/, 'echo')
    for (const [instance, role] of [
      ['engine', 'engine'],
      ['engine-2', 'engine'],
      ['api-a-b', 'api'],
    ] as const)
      assert.equal(execFileSync('sh', ['-c', said, instance], { encoding: 'utf8' }), `${role}\n`)
  })
})

describe('deploy/compose-single.yaml', () => {
  it('runs everything in one container, with variables that a start understands and no right that it does not need', () => {
    const { services, volumes } = z
      .looseObject({
        services: z.object({
          perigee: z.looseObject({
            image: z.string(),
            command: z.tuple([z.literal('start')]),
            environment: z.record(z.string(), z.string()),
            volumes: z.tuple([z.literal('perigee:/data')]),
            read_only: z.literal(true),
            cap_drop: z.tuple([z.literal('ALL')]),
            healthcheck: z.looseObject({ test: z.array(z.string()) }),
          }),
        }),
        volumes: z.record(z.string(), z.looseObject({})),
      })
      .parse(load(file('compose-single.yaml')))
    const { environment, image, healthcheck } = services.perigee
    const set = Object.entries(environment).map(([name, text]) => [name, substituted(text)])
    assertUnderstood(Object.fromEntries(set), 'compose-single.yaml')
    assert.equal(image, readCompose().services['api']?.image)
    assert.match(healthcheck.test.join(' '), /\/healthz/)
    assert.deepEqual(Object.keys(volumes), ['perigee'])
  })

  it('names the image of this version', () => {
    const { version } = z
      .looseObject({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')))
    assert.equal(substituted(readCompose().services['api']?.image ?? ''), `perigee:${version}`)
  })
})

describe('the service', () => {
  it('imports nothing but what is installed without development', () => {
    const { dependencies } = z
      .looseObject({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')))
    const sources = [...globSync('{src,bin,scripts}/**/*.{ts,js}', { cwd: repository })].filter(
      (path) => !path.endsWith('.test.ts') && (!path.startsWith('scripts') || path.endsWith('nats-users.ts')),
    )
    for (const path of sources)
      for (const [, name = ''] of readFileSync(join(repository, path), 'utf8').matchAll(
        /^(?:import|export)[^'"(]*? from '((?:@[^/']+\/)?[^'./#][^'/]*)/gm,
      ))
        assert.ok(name.startsWith('node:') || name in dependencies, `${path} imports ${name}`)
  })
})

describe('deploy/prometheus and deploy/grafana', () => {
  it('are documents, whose rules say what is wrong', () => {
    const { groups } = z
      .object({
        groups: z.array(
          z.object({
            name: z.string(),
            rules: z.array(
              z.object({
                alert: z.string().regex(/^Perigee[A-Z][A-Za-z]+$/),
                expr: z.string().min(5),
                for: z.string().optional(),
                labels: z.object({ severity: z.enum(['warning', 'critical']) }),
                annotations: z.object({ summary: z.string().min(10) }),
              }),
            ),
          }),
        ),
      })
      .parse(load(file('prometheus/alerts.yaml')))
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    assert.equal(new Set(names).size, names.length)
    assert.ok(names.length > 10)
  })

  for (const name of ['perigee.json', 'monitors.json'])
    it(`have panels in ${name} that ask for something and do not lie on one another`, () => {
      const panel = z.looseObject({
        id: z.int(),
        type: z.string(),
        gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
        targets: z.array(z.looseObject({ expr: z.string().min(5) })).default([]),
      })
      const { panels } = z.looseObject({ panels: z.array(panel) }).parse(JSON.parse(file(`grafana/${name}`)))
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
      const taken = new Set<string>()
      for (const { id, type, gridPos, targets } of panels) {
        assert.equal(targets.length > 0, type !== 'row', String(id))
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
            assert.ok(x < 24 && !taken.has(`${x}/${y}`), `panel ${id} at ${x}/${y}`)
            taken.add(`${x}/${y}`)
          }
      }
    })
})
