// What pages take for granted: variables, files and things in the workspace, as commands that run before their own.
import { join } from 'node:path'
import { root } from '../../scripts/docs-links.ts'
import { harExample } from '../support/har-example.ts'
import { opsgenieExport } from '../support/on-call-exports.ts'
import { openapiExample } from '../support/openapi-example.ts'
import { postmanExample } from '../support/postman-example.ts'
import { firstBlock } from './blocks.ts'

export type Preparation = {
  commands?: string
  /** Commands before the block that begins so. */
  before?: { begins: string; commands: string }
  /** In the folder in which the commands run. */
  files?: Readonly<Record<string, string>>
}

/** What stands for something that only the reader has, each with what is in its place here. */
export const placeholders: readonly (readonly [from: RegExp | string, to: string])[] = [
  [/pgk_(?:\.{3}|…)/g, '$TOKEN'],
  [/https:\/\/up\.example\.com/g, '$PERIGEE'],
  [/<id>/g, '$WORKSPACE'],
  [/spt_…/g, 'spt_test_ok'],
  // The secrets of contacts, as their providers make them.
  ['/webhooks/123…/AbC…', `/webhooks/1234567890123456789/${'a'.repeat(68)}`],
  ['spaces/AAQA…/messages?key=…&token=…', 'spaces/AAQA/messages?key=abc&token=abc'],
  ['"config_key": "…"', '"config_key": "abc"'],
  ['"syt_…"', '"syt_abcdefgh"'],
  ['/hooks/abc…', '/hooks/abcdefghijklmnopqrstuvwxyz'],
  ['"tk_…"', '"tk_abcdefghijklmnop"'],
  ['"R0…"', `"R0${'A'.repeat(30)}"`],
  ['"azGDORePK8…"', `"${'a'.repeat(30)}"`],
  ['"uQiRzpo4DX…"', `"${'u'.repeat(30)}"`],
  ['https://….api.powerplatform.com/powerautomate/…/invoke', 'https://a.api.powerplatform.com/powerautomate/b/invoke'],
  ['sig=…', 'sig=abc'],
  ['"123456789:AA…"', `"123456789:${'A'.repeat(35)}"`],
  ['"AC…"', `"AC${'0'.repeat(32)}"`],
  ['"auth_token": "…"', `"auth_token": "${'a'.repeat(32)}"`],
  // Ids of monitors that only a workspace has.
  ['0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10', `'"$MEMBER"'`],
  ['c2b1a0f9-8e7d-4c6b-a5f4-e3d2c1b0a9f8', `'"$OTHER"'`],
]

const monitor = `ID=$(ask monitors '{"name":"Shop","url":"https://example.com"}'); MONITOR=$ID`
const contact = `ask alert-channels '{"name":"'"$1"'","kind":"webhook","destination":"https://hooks.example.com/'"$1"'"}'`

/** Until a round is measured. */
const measured = eventually(
  `command curl -s "$PERIGEE/api/v1/slos/$ID" -H "X-API-Key: $TOKEN" | jq -e .data.state.is_met`,
)
/** Follows the link in the mail that a new contact gets, which is kept in a file where no mail leaves. */
const confirmed = eventually(
  `sed -sz 's/=\\r*\\n//g' data/outbox/*.eml | grep -aoE "$PERIGEE/contacts/confirm/[A-Za-z0-9_.-]+" > links`,
).concat(`
command curl -sf -X POST "$(tail -1 links)" > page.html`)

/** Targets of blackbox_exporter, some of them in files. */
const prometheus = `scrape_configs:
  - job_name: blackbox
    metrics_path: /probe
    params: {module: [http_2xx]}
    static_configs: [{targets: ["https://example.com"]}]
    file_sd_configs: [{files: [targets/*.yml]}]
    relabel_configs:
      - {source_labels: [__address__], target_label: __param_target}
      - {target_label: __address__, replacement: "127.0.0.1:9115"}
`

export const preparations: Readonly<Record<string, Preparation>> = {
  'docs/agents.md': {
    commands: `npm run --silent perigee -- workspace create Visitors > created
WORKSPACE=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' created | head -1)`,
  },
  'docs/alerts.md': {
    commands: `contact() { ${contact}; }
${monitor}; ID=$(contact Hook); ANN=$(contact Ann); BOB=$(contact Bob)
CHAT=$(ask alert-channels '{"name":"Chat","kind":"ntfy","destination":"alerts","options":{"server":"https://ntfy.example.com"}}')`,
  },
  'docs/dependencies.md': {
    commands: `${monitor}; ROUTER=$(ask monitors '{"name":"Router","kind":"ping","url":"router.example.com"}')`,
  },
  'docs/evidence.md': { commands: monitor },
  'docs/history.md': { commands: monitor },
  'docs/kinds/group.md': {
    commands: `MEMBER=$(ask monitors '{"name":"Cart","url":"https://example.com/cart"}')
OTHER=$(ask monitors '{"name":"Till","url":"https://example.com/till"}')`,
  },
  'docs/kinds/heartbeat.md': { commands: heartbeat('heartbeat'), files: { 'backup.sh': '#!/bin/sh\necho done\n' } },
  'docs/kinds/repository.md': {
    commands: `ID=$(ask monitors '{"name":"Source","kind":"repository","url":"https://git.example.com/shop"}')`,
  },
  'docs/kinds/push_metric.md': { commands: heartbeat('push_metric') },
  'docs/kinds/webhook.md': { commands: heartbeat('webhook') },
  'docs/maintenance.md': {
    commands: `ID=$(ask alert-channels '{"name":"Chat","kind":"webhook","destination":"https://hooks.example.com/in"}')`,
  },
  'docs/moving-in.md': {
    commands: `export PERIGEE_URL="$PERIGEE"
mkdir monitors targets
mv list.yml targets
node --input-type=module -e "$(cat make.js)"`,
    files: {
      'make.js': `import { writeKumaDatabase } from ${JSON.stringify(join(root, 'test/support/kuma-database.ts'))}
const common = { active: 1, interval: 60, upside_down: 0 }
writeKumaDatabase('kuma.db', 2, {
  monitor: [
    { ...common, id: 1, name: 'shop', type: 'http', url: 'https://example.com', method: 'GET', timeout: 20 },
    { ...common, id: 2, name: 'backup', type: 'push', push_token: 'abcdefghijklmnopqrstuvwxyz012345' },
  ],
  notification: [{ id: 1, name: 'Chat', active: 1, is_default: 1, config: JSON.stringify({
    type: 'telegram', telegramBotToken: '123456789:${'A'.repeat(35)}', telegramChatID: '42' }) }],
  monitor_notification: [{ id: 1, monitor_id: 1, notification_id: 1 }],
}).close()
`,
      'blackbox.yml': 'modules: {http_2xx: {prober: http}}\n',
      'prometheus.yml': prometheus,
      'list.yml': '[{targets: ["https://www.example.com"]}]\n',
      'openapi.yaml': openapiExample,
      'visit.har': harExample,
      'shop.postman_collection.json': postmanExample('https://shop.example.com'),
      'live.postman_environment.json': '{"name": "Live", "values": []}',
      'sitemap.xml': '<urlset><url><loc>https://example.com/a</loc></url></urlset>\n',
    },
  },
  'docs/money.md': {
    commands: `echo "$TOKEN" > payer.key
npm run --silent perigee -- pay "$PERIGEE" --credit 5.00 --api-key payer.key --card spt_test_ok --budget 5.00
PAYMENT_ID=$(command curl -s "$PERIGEE/api/v1/payments" -H "X-API-Key: $TOKEN" | jq -r '.data[0].id')`,
  },
  'docs/objectives.md': {
    commands: `contact() { ${contact}; }
ask monitors '{"name":"Checkout","url":"https://example.com","interval_seconds":10,"tags":["checkout"]}'
POLICY=$(ask escalation-policies '{"name":"Duty","steps":[{"after_minutes":0,"contact_ids":["'"$(contact Ann)"'"]}]}')`,
    before: { begins: 'export PERIGEE_URL', commands: measured },
  },
  'docs/payment-methods.md': { commands: 'echo "$TOKEN" > perigee.key' },
  'docs/projects.md': {
    commands: `export SHOP_TOKEN=secret PERIGEE_URL="$PERIGEE"
npm run perigee -- validate -f example
${monitor}; ask alert-channels '{"name":"Chat","kind":"webhook","destination":"https://hooks.example.com/in"}'
mkdir monitors`,
    files: { 'example/shop.yaml': firstBlock('docs/projects.md', 'yaml') },
  },
  'docs/on-call.md': {
    commands: `contact() { ${contact}; }
ADA=$(contact Ada); BOB=$(contact Bob)`,
    files: { 'opsgenie.json': JSON.stringify(opsgenieExport) },
  },
  'docs/reports.md': {
    commands: `CONTACT=$(ask alert-channels '{"name":"Boss","kind":"email","destination":"boss@example.com"}')
${confirmed}`,
  },
  'docs/software.md': { commands: monitor },
  'docs/terminal.md': {
    commands: `for id in $(command curl -s "$PERIGEE/api/v1/monitors?name=shop" -H "X-API-Key: $TOKEN" | jq -r '.data[].id'); do
  command curl -sf -X DELETE "$PERIGEE/api/v1/monitors/$id" -H "X-API-Key: $TOKEN"
done
${monitor}`,
  },
}

/** Tries a command until it succeeds, for a minute at most. */
function eventually(command: string): string {
  return `tries=0
until ${command}; do
  (( (tries += 1) < 300 ))
  sleep 0.2
done`
}

function heartbeat(kind: string): string {
  const body = JSON.stringify({ name: 'Called', kind, interval_seconds: 86_400 })
  return `CALLED=$(command curl -s "$PERIGEE/api/v1/monitors" -H "X-API-Key: $TOKEN" -H 'Content-Type: application/json' -d '${body}')
ID=$(jq -r .data.id <<< "$CALLED"); HEARTBEAT_URL=$(jq -r .heartbeat_url <<< "$CALLED")`
}
