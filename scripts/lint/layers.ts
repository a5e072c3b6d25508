// Which layer of src/ may import what. The rule perigee/boundaries reads this table, ARCHITECTURE.md prints it.

/** One folder directly below src/. */
export interface Layer {
  /** Its contents, in a line. */
  holds: string
  /** The layers whose files it may import. A layer may always import its own files. */
  imports: readonly string[]
  /** The layers of which it may import types, and nothing that exists when it runs. */
  types?: readonly string[]
  /** The packages it may import. */
  packages?: readonly string[]
  /** The modules of Node that it may import, where these are fewer than `ordinaryBuiltins`, or more. */
  builtins?: readonly string[]
}

/** Modules and packages that one file may import beyond its layer's. */
export interface Exception {
  file: string
  imports: readonly string[]
  because: string
}

/** Modules that every layer may import unless it lists its own: they open no sockets. */
export const ordinaryBuiltins: readonly string[] = [
  'node:assert/strict',
  'node:child_process',
  'node:crypto',
  'node:events',
  'node:fs',
  'node:fs/promises',
  'node:module',
  'node:os',
  'node:path',
  'node:stream',
  'node:stream/promises',
  'node:timers/promises',
  'node:url',
  'node:util',
  'node:worker_threads',
  'node:zlib',
]

/** A layer imports only layers that stand below it here. */
export const layers: Readonly<Record<string, Layer>> = {
  cli: {
    holds: 'the commands',
    imports: ['api-document', 'app', 'config', 'contacts', 'core', 'kinds', 'net', 'operations', 'payments', 'store'],
    packages: ['get-east-asian-width', 'zod'],
    builtins: [...ordinaryBuiltins, 'node:net', 'node:v8', 'node:vm'],
  },
  app: {
    holds: 'what a process of each role is made of, its start and its end',
    imports: [
      'agents',
      'api-document',
      'bus',
      'config',
      'console',
      'contacts',
      'core',
      'engine',
      'http',
      'jobs',
      'kinds',
      'manifests',
      'mcp',
      'metrics',
      'net',
      'operations',
      'otlp',
      'payments',
      'people',
      'prober',
      'status-site',
      'store',
      'templates',
      'time',
    ],
    packages: ['hono', 'pino'],
    builtins: [...ordinaryBuiltins, 'node:async_hooks'],
  },
  console: {
    holds: "the console's files, its live stream and the forms of monitors",
    imports: ['core', 'operations', 'http', 'api-document'],
    packages: ['hono', 'zod'],
  },
  mcp: {
    holds: 'the operations as tools for models, resources, prompts',
    imports: ['core', 'operations', 'http', 'api-document'],
    packages: ['@modelcontextprotocol/server', 'hono', 'zod'],
  },
  agents: {
    holds: 'how agents come to tokens and lose them',
    imports: ['core', 'operations', 'net', 'http'],
    packages: ['hono', 'jose', 'zod'],
  },
  'status-site': {
    holds: 'status pages as readers get them',
    imports: ['core', 'operations', 'http'],
    packages: ['hono', 'zod'],
  },
  'api-document': {
    holds: 'the OpenAPI document, its reference, and what leads there',
    imports: ['core', 'operations', 'http'],
    packages: ['hono', 'zod'],
  },
  http: {
    holds: 'routes, bodies, credentials, limits, the small pages of contacts',
    imports: ['core', 'operations', 'threads'],
    packages: ['@hono/node-server', 'hono', 'ipaddr.js', 'zod'],
    builtins: [...ordinaryBuiltins, 'node:http'],
  },
  people: {
    holds: 'sign-in (better-auth), sessions, set-up links',
    imports: ['core', 'operations', 'identity'],
    packages: ['@better-auth/passkey', 'better-auth', 'hono', 'zod'],
  },
  metrics: {
    holds: 'what Prometheus reads, by role',
    imports: ['core', 'prober'],
    types: ['bus', 'config', 'engine', 'jobs', 'operations', 'store'],
    packages: ['prom-client'],
  },
  operations: {
    holds: 'one object for each operation, and the pipeline that runs it',
    imports: ['core', 'store', 'contacts', 'payments', 'identity', 'kinds', 'manifests', 'threads'],
    types: ['bus', 'templates'],
    packages: ['rate-limiter-flexible', 'zod'],
  },
  jobs: {
    holds: 'timed and queued work',
    imports: [
      'core',
      'store',
      'kinds',
      'contacts',
      'net',
      'payments',
      'advisories',
      'fingerprints',
      'manifests',
      'otlp',
      'templates',
    ],
    packages: ['graphile-worker', 'nodemailer', 'zod'],
  },
  engine: {
    holds: 'schedule, rounds, results, partitions, locations',
    imports: ['core', 'store', 'otlp', 'time'],
    types: ['bus'],
  },
  prober: {
    holds: 'the loop of a location, its threads and their process',
    imports: ['core', 'kinds', 'fingerprints', 'bus', 'net', 'otlp', 'time'],
    packages: ['zod'],
    builtins: [...ordinaryBuiltins, 'node:async_hooks'],
  },
  config: {
    holds: 'the settings, read from the environment once',
    imports: ['core'],
    types: ['bus', 'payments'],
    packages: ['zod'],
    builtins: [...ordinaryBuiltins, 'node:net'],
  },
  contacts: {
    holds: 'the kinds of contact, and how messages leave',
    imports: ['core', 'net'],
    packages: ['web-push', 'zod'],
  },
  payments: {
    holds: 'ways to be paid, settlement, VAT ids',
    imports: ['core', 'net', 'store'],
    packages: ['@noble/hashes', 'jsvat', 'micro-eth-signer', 'stripe', 'zod'],
  },
  identity: {
    holds: 'OpenID Connect, SAML',
    imports: ['core', 'net', 'threads'],
    packages: ['@node-saml/node-saml', '@xmldom/xmldom', 'openid-client'],
  },
  advisories: {
    holds: 'feeds of advisories, the order of versions, what is affected, what fixes it',
    imports: ['core', 'net', 'threads'],
    packages: ['ae-cvss-calculator', 'yauzl', 'zod'],
  },
  fingerprints: {
    holds: 'which software a web site shows; the rules are data',
    imports: ['core', 'threads'],
    types: ['net'],
    packages: ['htmlparser2'],
  },
  kinds: {
    holds: 'the kinds of monitor: options, target, `observe`, `judge`',
    imports: ['core', 'manifests', 'threads'],
    types: ['net'],
    packages: [
      '@cfworker/json-schema',
      '@peculiar/asn1-ocsp',
      '@peculiar/asn1-schema',
      '@peculiar/asn1-x509',
      'css-select',
      'fast-xml-parser',
      'htmlparser2',
      'jsonata',
      're2js',
      'tldts',
      'zod',
    ],
    builtins: ['node:util', 'node:buffer', 'node:crypto', 'node:module', 'node:url'],
  },
  store: {
    holds: 'all SQL, the embedded PostgreSQL, migrations, encryption',
    imports: ['core'],
    packages: ['graphile-worker', 'kysely', 'pg', 'zod'],
    builtins: [...ordinaryBuiltins, 'node:sqlite'],
  },
  bus: {
    holds: 'how roles talk: in memory, or by NATS',
    imports: ['core', 'time'],
    packages: ['@nats-io/jetstream', '@nats-io/transport-node', 'zod'],
    builtins: [...ordinaryBuiltins, 'node:net', 'node:tls'],
  },
  net: {
    holds: 'the only sockets to addresses that users choose',
    imports: ['core'],
    packages: ['dns-packet', 'ipaddr.js', 'koffi', 'playwright', 'playwright-core', 'tough-cookie', 'zod'],
    builtins: [
      ...ordinaryBuiltins,
      'node:async_hooks',
      'node:dgram',
      'node:dns',
      'node:http2',
      'node:net',
      'node:stream/consumers',
      'node:tls',
      'node:vm',
    ],
  },
  manifests: {
    holds: 'what dependency manifests name',
    imports: ['core', 'threads'],
    packages: ['js-yaml', 'smol-toml'],
    builtins: [],
  },
  templates: {
    holds: 'templates of contacts, rendered in a thread',
    imports: ['core', 'threads'],
    packages: ['liquidjs'],
    builtins: [],
  },
  otlp: {
    holds: 'what receivers of OpenTelemetry get',
    imports: ['core', 'time'],
  },
  threads: {
    holds: 'threads that can be ended, for what others sent',
    imports: [],
    builtins: ['node:module', 'node:path', 'node:worker_threads'],
  },
  time: {
    holds: 'clocks and timers, as an argument',
    imports: [],
    builtins: [],
  },
  core: {
    holds: 'the rules: no clock, no I/O, nothing asynchronous',
    imports: [],
    packages: ['croner', 'zod'],
    builtins: [],
  },
}

export const exceptions: readonly Exception[] = [
  {
    file: 'core/language/texts.ts',
    imports: ['@messageformat/parser'],
    because: 'translators write messages too, so they are read by the parser of their standard',
  },
  {
    file: 'core/projects/yaml-tree.ts',
    imports: ['js-yaml'],
    because: 'the files of a project are YAML, and a rule that refuses them names their lines',
  },
  {
    file: 'core/discovery/discovered-file.ts',
    imports: ['js-yaml'],
    because: 'what is written as the file of a project is read again by the same parser',
  },
  {
    file: 'core/proofs/sha-256.ts',
    imports: ['node:crypto'],
    because: 'a hash depends on its bytes alone',
  },
  {
    file: 'core/proofs/signature.ts',
    imports: ['node:crypto'],
    because: 'whether a signature is right depends on its bytes alone',
  },
  {
    file: 'prober/process-worker.ts',
    imports: ['node:net'],
    because: 'the pipe to the process that started this one is no address at all',
  },
  {
    file: 'cli/discovery/docker-engine.ts',
    imports: ['node:http', 'node:https'],
    because: 'Docker listens at a socket of this machine, which is no target of a user',
  },
  {
    file: 'cli/discovery/approve.ts',
    imports: ['node:readline/promises'],
    because: 'a person answers in the terminal, where the command was given',
  },
  {
    file: 'cli/terminal/confirm.ts',
    imports: ['node:readline/promises'],
    because: 'a person answers in the terminal, where the command was given',
  },
  {
    file: 'core/projects/yaml-text.ts',
    imports: ['js-yaml'],
    because: 'what is written as the file of a project is read again by the same parser',
  },
]

/** Files outside of the store with statements, which go to databases of others. */
export const statementExceptions: readonly Pick<Exception, 'file' | 'because'>[] = [
  {
    file: 'kinds/database/postgresql.ts',
    because: 'its statements are for the target of a monitor, and never for our own database',
  },
  {
    file: 'kinds/database/mysql.ts',
    because: 'its statements are for the target of a monitor, and never for our own database',
  },
]

/** Files outside of the store that reach the query builder. The rule perigee/store-sql refuses it to all others. */
export const queryExceptions: readonly Pick<Exception, 'file' | 'because'>[] = [
  {
    file: 'people/auth.ts',
    because: 'better-auth writes the rows of signing in itself, through the query builder that it is given',
  },
]
