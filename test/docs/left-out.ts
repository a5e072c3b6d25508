// The blocks of commands that cannot be run here, each with the reason. One that is not there any more fails the tests.

export type LeftOut = {
  page: string
  /** How the block begins. */
  begins: string
  because: string
}

const released = 'needs what a release consists of; npm run release -- --try starts each artefact'
const started = 'needs the npm package of a release; npm run release -- --try starts it by npx'
const ownClient = 'is a client of another company that is not installed here; test/mcp asks the same address'
const broker = 'needs the addresses of several machines; test/cluster/nats-deployment.test.ts runs what it sets up'
const backup = 'writes beside the service of these pages; src/cli/backups/backup.test.ts runs it in folders of its own'

const docker = 'needs Docker; test/peers/podman.test.ts asks Podman the same'

const otherTool = 'asks the service of another company; src/core/imports has tests of what it answers'

export const leftOut: readonly LeftOut[] = [
  { page: 'README.md', begins: 'npm ci && npm start', because: 'installs this folder anew; test/start runs npm start' },
  { page: 'README.md', begins: 'npm ci && npm test', because: 'runs all other tests' },
  {
    page: 'docs/agents.md',
    begins: 'node examples/agent.ts',
    because: 'waits until a person confirms it; test/flow/agents.test.ts runs it with one',
  },
  {
    page: 'docs/alerts.md',
    begins: 'SIGNING_SECRET=',
    because: 'runs until it is stopped; src/contacts/receiver-example.test.ts runs it',
  },
  {
    page: 'docs/contacts/matrix.md',
    begins: 'curl -s "$HOMESERVER',
    because: 'asks a homeserver of Matrix, which is not here',
  },
  { page: 'docs/discovery.md', begins: 'perigee discover docker --host', because: docker },
  { page: 'docs/discovery.md', begins: 'perigee discover docker --output', because: docker },
  {
    page: 'docs/discovery.md',
    begins: 'kubectl get',
    because: 'needs a cluster; src/core/discovery/kubernetes-objects.test.ts reads what kubectl prints',
  },
  {
    page: 'docs/errors.md',
    begins: 'curl -s -H',
    because: 'is refused, as the page says; src/http/problem.test.ts asks the same',
  },
  {
    page: 'docs/history.md',
    begins: 'curl -s "$PERIGEE/api/v1/monitors/$ID/signed-history',
    because: 'needs a day that is signed; src/operations/results/signed-history.test.ts verifies one by the command',
  },
  {
    page: 'docs/history.md',
    begins: 'PERIGEE_COUNTERSIGN_FILE=',
    because: 'needs a broker, and runs until it is stopped; test/cluster/countersigning.test.ts signs by way of one',
  },
  {
    page: 'docs/history.md',
    begins: 'perigee verify november.jsonl --keys keys.json --roots roots.json --countersigners',
    because: 'needs a signed day; src/operations/results/countersigned-history.test.ts runs the command with one',
  },
  { page: 'docs/installing.md', begins: 'tar -xzf', because: released },
  { page: 'docs/installing.md', begins: 'npx perigee start', because: started },
  { page: 'docs/installing.md', begins: 'docker load', because: released },
  { page: 'docs/installing.md', begins: 'helm install', because: 'needs Kubernetes; test/start/helm.test.ts reads it' },
  { page: 'docs/installing.md', begins: 'apt install', because: released },
  {
    page: 'docs/kinds/dns.md',
    begins: 'npm run perigee -- check example.com --kind dns --option dnssec',
    because: 'needs the root of the DNS; test/peers/dnssec.test.ts has one of its own',
  },
  {
    page: 'docs/kinds/paid_endpoint.md',
    begins: 'PERIGEE_CANARY_KEY_FILE=',
    because: 'needs a wallet; test/references/canary.test.ts starts the service with one',
  },
  { page: 'docs/mcp.md', begins: 'claude mcp add', because: ownClient },
  { page: 'docs/mcp.md', begins: 'codex mcp add', because: ownClient },
  { page: 'docs/mcp.md', begins: 'gemini mcp add', because: ownClient },
  { page: 'docs/mcp.md', begins: 'npx @modelcontextprotocol/inspector', because: ownClient },
  { page: 'docs/moving-in.md', begins: 'curl -H "X-Api-Key: $HEALTHCHECKS_KEY"', because: otherTool },
  { page: 'docs/moving-in.md', begins: 'curl https://api.uptimerobot.com', because: otherTool },
  { page: 'docs/nats.md', begins: 'cd deploy/nats', because: broker },
  { page: 'docs/nats.md', begins: 'node scripts/nats-users.ts fra nyc sin:leaf', because: broker },
  {
    page: 'docs/operating.md',
    begins: 'journalctl -u perigee',
    because: 'reads the journal of a service of systemd; src/app/log.test.ts compares the fields with the code',
  },
  {
    page: 'docs/operating.md',
    begins: 'git clone',
    because: 'installs units of systemd; test/start/deploy.test.ts reads them',
  },
  {
    page: 'docs/operating.md',
    begins: 'cd deploy',
    because: 'needs Docker; test/cluster/compose.test.ts starts what it composes',
  },
  {
    page: 'docs/on-call.md',
    begins: '# Opsgenie:',
    because: 'asks the services of others; what they answer is in test/support/on-call-exports.ts',
  },
  {
    page: 'docs/objectives.md',
    begins: 'curl -s -X POST "$PERIGEE/api/v1/slos/$ID/acknowledge"',
    because: 'needs an alarm, and that an hour of outages; src/operations/objectives.test.ts acknowledges one',
  },
  {
    page: 'docs/sdk.md',
    begins: 'npm install ./perigee-sdk',
    because: 'needs a release; test/references/sdk.test.ts installs it',
  },
  ...['perigee backup', 'PERIGEE_DATA_DIR=', 'createdb', 'perigee resume-sending'].map((begins) => ({
    page: 'docs/operating.md',
    begins,
    because: backup,
  })),
  ...['perigee keys rotate', 'perigee keys retire'].map((begins) => ({
    page: 'docs/operating.md',
    begins,
    because: 'changes the key of an installation; test/start/keys.test.ts does it',
  })),
  {
    page: 'docs/payment-methods.md',
    begins: 'perigee pay https://up.example.com https://www.example.com --key',
    because: 'needs a chain; test/flow/paying.test.ts pays on one',
  },
  { page: 'docs/releasing.md', begins: 'npm run release', because: 'takes minutes; .ci/run --long runs it' },
  { page: 'docs/releasing.md', begins: 'npm run release -- --try', because: 'takes minutes; .ci/run --long runs it' },
  {
    page: 'docs/releasing.md',
    begins: 'npm run release -- --compare',
    because: 'takes minutes; .ci/run --long runs it',
  },
  { page: 'docs/trust.md', begins: 'npm run trust', because: 'takes half an hour; .ci/run runs the short form' },
  { page: 'docs/start.md', begins: 'npx perigee start', because: started },
  {
    page: 'docs/vulnerabilities.md',
    begins: 'PERIGEE_FEED_NVD=off',
    because: 'runs until it is stopped; every service of the tests is started with such settings',
  },
  {
    page: 'docs/supply-chain.md',
    begins: 'export PERIGEE_DATABASE_URL=',
    because: 'needs a PostgreSQL of another machine; test/cluster runs roles over one',
  },
  {
    page: 'docs/vulnerabilities.md',
    begins: 'curl -s -X POST "$PERIGEE/api/v1/exposures/$EXPOSURE/verify"',
    because:
      'needs software with a vulnerability that is exploited; src/operations/software/verify-exposure.test.ts has it',
  },
  {
    page: 'docs/vulnerabilities.md',
    begins: 'curl -s "$PERIGEE/api/v1/exposures/$EXPOSURE/report"',
    because: 'needs an exposure that has ended; src/operations/software/exposure-report.test.ts has some',
  },
]
