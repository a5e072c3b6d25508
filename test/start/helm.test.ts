// Checks the Helm chart as text: no machine of ours has Helm. It uses three things of the template language, which are
// done here as Helm does them: values, `quote`, and `if` with `end` of what is not empty.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { load, loadAll } from 'js-yaml'
import { z } from 'zod'
import { readConfig } from '#config/config.ts'
import { deployFolder } from '../support/compose.ts'

const folder = join(deployFolder, 'helm/perigee')
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const valuesSchema = z.record(z.string(), z.string())
const defaults = valuesSchema.parse(load(read('values.yaml')))

/** Null where a template makes nothing. */
function rendered(path: string, values: Readonly<Record<string, string>>): unknown {
  let text = read(path)
  const block = /\{\{- if \.Values\.(\w+) \}\}\n((?:(?!\{\{- (?:if|end))[\s\S])*)\{\{- end \}\}\n/
  for (let found = block.exec(text); found !== null; found = block.exec(text))
    text = text.replace(found[0], () => (valueOf(found[1]) === '' ? '' : (found[2] ?? '')))
  text = text
    .replaceAll(/\{\{ \.Values\.(\w+) \| quote \}\}/g, (_, name: string) => JSON.stringify(valueOf(name)))
    .replaceAll('{{ .Release.Name }}', 'up')
  assert.doesNotMatch(text, /\{\{/, `${path} uses more of the template language than this test knows`)
  return loadAll(text)[0] ?? null

  function valueOf(name = ''): string {
    return values[name] ?? assert.fail(`${path}: values.yaml has no ${name}`)
  }
}

const podSchema = z.looseObject({
  enableServiceLinks: z.literal(false),
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
  containers: z.tuple([
    z.looseObject({
      image: z.string(),
      args: z.tuple([z.literal('start')]),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]).optional(),
      ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.literal(3000) })]),
      livenessProbe: z.looseObject({ httpGet: z.object({ path: z.literal('/healthz'), port: z.literal('http') }) }),
      readinessProbe: z.looseObject({ httpGet: z.object({ path: z.literal('/readyz'), port: z.literal('http') }) }),
      securityContext: z.looseObject({
        readOnlyRootFilesystem: z.literal(true),
        allowPrivilegeEscalation: z.literal(false),
      }),
      volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
    }),
  ]),
  volumes: z.array(z.looseObject({ name: z.string() })),
})
const setSchema = z.looseObject({
  kind: z.literal('StatefulSet'),
  spec: z.looseObject({
    replicas: z.literal(1),
    serviceName: z.literal('up'),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: podSchema }),
    volumeClaimTemplates: z.tuple([
      z.object({
        metadata: z.object({ name: z.literal('data') }),
        spec: z.looseObject({ storageClassName: z.string().optional() }),
      }),
    ]),
  }),
})

describe('deploy/helm', () => {
  const version = z
    .looseObject({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(deployFolder, '../package.json'), 'utf8'))).version

  it('is of this version', () => {
    const chart = z.looseObject({ version: z.string(), appVersion: z.string() }).parse(load(read('Chart.yaml')))
    assert.deepEqual([chart.version, chart.appVersion], [version, version])
    assert.ok(defaults['image']?.endsWith(`/perigee:${version}`))
  })

  it('runs everything in one pod, with variables that a start understands and no right that it does not need', () => {
    const { spec } = setSchema.parse(rendered('templates/statefulset.yaml', defaults))
    assert.deepEqual(spec.template.metadata.labels, spec.selector.matchLabels)
    const [container] = spec.template.spec.containers
    assert.equal(container.envFrom, undefined)
    const given = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
    assert.deepEqual(readConfig(given).unknownVariables, [])
    const volumes = [...spec.template.spec.volumes.map(({ name }) => name), 'data']
    assert.deepEqual(new Set(container.volumeMounts.map(({ name }) => name)), new Set(volumes))
    assert.equal(spec.volumeClaimTemplates[0].spec.storageClassName, undefined)
  })

  it('takes a secret with settings, and a class of storage', () => {
    const values = { ...defaults, settingsSecret: 'mine', storageClass: 'fast' }
    const { spec } = setSchema.parse(rendered('templates/statefulset.yaml', values))
    assert.equal(spec.template.spec.containers[0].envFrom?.[0].secretRef.name, 'mine')
    assert.equal(spec.volumeClaimTemplates[0].spec.storageClassName, 'fast')
  })

  it('is reached by its service, and from outside only where a host is named', () => {
    const { spec } = setSchema.parse(rendered('templates/statefulset.yaml', defaults))
    const service = z
      .looseObject({ kind: z.literal('Service'), spec: z.looseObject({ selector: z.record(z.string(), z.string()) }) })
      .parse(rendered('templates/service.yaml', defaults))
    assert.deepEqual(service.spec.selector, spec.selector.matchLabels)
    assert.equal(rendered('templates/ingress.yaml', defaults), null)
    const values = { ...defaults, host: 'up.example.com', ingressClass: 'nginx', tlsSecret: 'up-tls' }
    const ingress = z
      .looseObject({
        kind: z.literal('Ingress'),
        spec: z.looseObject({
          ingressClassName: z.literal('nginx'),
          tls: z.tuple([z.object({ hosts: z.tuple([z.literal('up.example.com')]), secretName: z.literal('up-tls') })]),
          rules: z.tuple([z.looseObject({ host: z.literal('up.example.com') })]),
        }),
      })
      .safeParse(rendered('templates/ingress.yaml', values))
    assert.ok(ingress.success, JSON.stringify(ingress.error?.issues))
  })

  it('reads every value that it has', () => {
    const templates = globSync('templates/*.yaml', { cwd: folder }).map(read).join('')
    for (const name of Object.keys(defaults)) assert.ok(templates.includes(`.Values.${name}`), name)
  })
})
