import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type Schema, defaultOf, labelOf } from '../../api/schema.ts'
import { type OptionWords, pageOptionWords } from './page-option-words.ts'

type Words = { label: string; unit: string | null; hint?: string }

/** How a field is called; of options of monitors also what it says, where the API's words are for readers of JSON. */
export function optionWords(name: string): Words {
  const member = name.slice(name.lastIndexOf('.') + 1)
  const own = name.startsWith('check_options.') ? (ofStep(name) ?? words[member]) : undefined
  if (own === undefined) return labelOf(member)
  return { label: i18n._(own.label), unit: null, ...(own.hint === undefined ? {} : { hint: i18n._(own.hint) }) }
}

/** What counts where a field is left empty: said in it as long as it is. */
export function defaultText(schema: Schema): string | undefined {
  const value = defaultOf(schema)
  return typeof value === 'number' || typeof value === 'string' ? t`Default: ${value}` : undefined
}

/** The form has another name above. */
function ofStep(name: string): OptionWords | undefined {
  return /^check_options\.steps\.\d+\.name$/.test(name) ? { label: msg`Name of the step` } : undefined
}

const words: Readonly<Record<string, OptionWords>> = {
  ...pageOptionWords,
  absent_keyword: {
    label: msg`Text that must be missing`,
    hint: msg`Down when the response body contains it.`,
  },
  absent_pattern: {
    label: msg`Regular expression that must match nothing`,
    hint: msg`In the syntax of RE2. Down when it is found in the response body.`,
  },
  accept_any_certificate: {
    label: msg`Accept any certificate`,
    hint: msg`It need not be valid for the host. Its end is still told.`,
  },
  api_key: { label: msg`API key` },
  captures: {
    label: msg`Values for later steps`,
    hint: msg`A later step writes the name of a value in double braces, in its address, headers or body.`,
  },
  chain_warn_days: {
    label: msg`Days before an issuing certificate expires`,
    hint: msg`Degraded so many days before. Leave it empty to watch the server's own certificate alone.`,
  },
  client_certificate: {
    label: msg`Client certificate`,
    hint: msg`In PEM, with its private key. It is shown where the server asks for one.`,
  },
  community: {
    label: msg`Community`,
    hint: msg`For version 2c: what opens the agent. Kept encrypted, and never shown again.`,
  },
  components: {
    label: msg`Components`,
    hint: msg`Names as the provider writes them. Leave it empty to count all of them.`,
  },
  asset: {
    label: msg`Token`,
    hint: msg`The address of its contract, with which the endpoint wants to be paid.`,
  },
  attribute: {
    label: msg`Attribute`,
    hint: msg`Down when no entry that is found has it, such as mail.`,
  },
  auth_password: {
    label: msg`Password for authentication`,
    hint: msg`For version 3. At least 8 characters. Kept encrypted, and never shown again.`,
  },
  auth_protocol: { label: msg`Authentication by`, hint: msg`For version 3.` },
  aws_region: { label: msg`Region of AWS`, hint: msg`Such as eu-central-1.` },
  aws_service: { label: msg`Service of AWS`, hint: msg`Such as execute-api or s3.` },
  base: {
    label: msg`Base of the search`,
    hint: msg`A distinguished name, such as dc=example,dc=com. Leave it empty to search nothing.`,
  },
  bind_dn: {
    label: msg`Distinguished name`,
    hint: msg`Who signs in, such as cn=watcher,dc=example,dc=com. Kept encrypted, and never shown again.`,
  },
  body: { label: msg`Body` },
  body_pattern: {
    label: msg`Regular expression for the response body`,
    hint: msg`In the syntax of RE2. Down when it is not found in the first 2 MiB.`,
  },
  body_sha256: {
    label: msg`SHA-256 of the response body`,
    hint: msg`Down when the body is another one. A failed check tells its SHA-256.`,
  },
  buys: {
    label: msg`Buy once an hour`,
    hint: msg`One location pays what is offered, if all of it is as expected. Only where the operator of this installation allows it.`,
  },
  certificate_authorities: {
    label: msg`Own certificate authorities`,
    hint: msg`In PEM. The certificate has to be of one of them; public authorities do not count.`,
  },
  certificate_sha256: {
    label: msg`SHA-256 of the certificate`,
    hint: msg`Down when the certificate is another one. A failed check tells its fingerprint.`,
  },
  degraded_above: {
    label: msg`Degraded above this number`,
    hint: msg`When the value is a larger one. Leave it empty for no limit.`,
  },
  degraded_below: {
    label: msg`Degraded below this number`,
    hint: msg`When the value is a smaller one. Leave it empty for no limit.`,
  },
  dnssec: {
    label: msg`Signatures (DNSSEC)`,
    hint: msg`Required: the answer has to be signed, from the root of the DNS on. Leave it empty to not look at signatures.`,
  },
  down_above: {
    label: msg`Down above this number`,
    hint: msg`When the value is a larger one. Leave it empty for no limit.`,
  },
  down_below: {
    label: msg`Down below this number`,
    hint: msg`When the value is a smaller one. Leave it empty for no limit.`,
  },
  down_on: {
    label: msg`Counts as down from`,
    hint: msg`The least problem that counts as down; what is less makes it degraded.`,
  },
  edition: {
    label: msg`Edition`,
    hint: msg`Java is asked over TCP, where the SRV record leads or at port 25565; Bedrock over UDP, at port 19132.`,
  },
  expected_answer: { label: msg`Expected record` },
  expected_headers: { label: msg`Headers of the response` },
  expected_http_version: {
    label: msg`Version of HTTP`,
    hint: msg`Down when the response comes by another one. For 2 it has to be offered.`,
  },
  expected_value: {
    label: msg`Expected value`,
    hint: msg`What must be there, such as ok, true or 3. Leave it empty to accept any value.`,
  },
  expected_elements: {
    label: msg`Elements of the page`,
    hint: msg`By CSS selectors, in what the server sends. Scripts are not run.`,
  },
  expected_message: {
    label: msg`Text in a message`,
    hint: msg`Down without a message that contains it.`,
  },
  expected_role: {
    label: msg`Expected role`,
    hint: msg`Down when the server has another one. A replica has to be connected to its primary, too.`,
  },
  filter: {
    label: msg`Filter`,
    hint: msg`Which entries are found, such as (uid=ann). Leave it empty for each of them.`,
  },
  final_url: {
    label: msg`Address after redirects`,
    hint: msg`Where the response has to come from. Leave it empty to accept any address.`,
  },
  group_policy: {
    label: msg`Members that have to be up`,
    hint: msg`All of them, or any one of them.`,
  },
  headers_only: {
    label: msg`Stop after the response headers`,
    hint: msg`It reads on if text or JSON is expected in the response.`,
  },
  highest_price: {
    label: msg`Highest price`,
    hint: msg`In the smallest unit of the token: 10000 is 0.01 of a token with 6 decimals. A higher price makes it degraded.`,
  },
  inverted: {
    label: msg`Turn the result around`,
    hint: msg`A check that fails is up, and one that succeeds is down.`,
  },
  http2: {
    label: msg`Offer HTTP/2`,
    hint: msg`The server chooses, within TLS. Otherwise HTTP/1.1 is spoken.`,
  },
  resume_tls: {
    label: msg`Take up TLS sessions again`,
    hint: msg`Spares the server its signature. Each tenth check makes a full handshake, and sees a certificate that was replaced.`,
  },
  ip_version: { label: msg`Version of IP`, hint: msg`The only one by which it is reached.` },
  json_path: {
    label: msg`JSON path`,
    hint: msg`Where the value is in a JSON response: names and list positions separated by dots, such as status or items.0.id.`,
  },
  json_schema: {
    label: msg`JSON Schema`,
    hint: msg`Down when the response body does not fit it.`,
  },
  jsonata: {
    label: msg`JSONata expression`,
    hint: msg`Down when it does not give true for the response body, such as $count(orders) > 0.`,
  },
  key: {
    label: msg`Key that must be there`,
    hint: msg`Down when it does not exist. What it holds is never stored.`,
  },
  keyword: { label: msg`Text in the answer`, hint: msg`Leave it empty to accept any text.` },
  list: {
    label: msg`List`,
    hint: msg`The key of a list whose length is measured, such as a queue.`,
  },
  lookup: {
    label: msg`What is looked up`,
    hint: msg`The domain itself, for lists of domains; or the IPv4 addresses of its mail servers or of the host, for lists of addresses.`,
  },
  max_latency_ms: {
    label: msg`Degraded above (ms)`,
    hint: msg`When a correct answer takes longer. Leave it empty for no limit.`,
  },
  max_list_length: {
    label: msg`Degraded above this length`,
    hint: msg`When the list has more entries. Leave it empty for no limit.`,
  },
  max_loss_percent: {
    label: msg`Down above this loss (%)`,
    hint: msg`The share of echo requests that get no answer. 99: down when none gets one.`,
  },
  max_memory_mb: {
    label: msg`Degraded above this memory (MB)`,
    hint: msg`When the data takes more. Leave it empty for no limit.`,
  },
  max_messages: {
    label: msg`Degraded above so many messages`,
    hint: msg`When more messages of the queue are ready. Leave it empty for no limit.`,
  },
  max_offset_ms: {
    label: msg`Clock may be off by (ms)`,
    hint: msg`Down when it differs more from the clock of the location. Leave it empty to skip the comparison.`,
  },
  max_run_seconds: {
    label: msg`Seconds in which a run has to end`,
    hint: msg`Down when a run that called /start has not ended by then.`,
  },
  max_value: {
    label: msg`Degraded above this number`,
    hint: msg`When the value is a larger one. Leave it empty for no limit.`,
  },
  min_run_seconds: {
    label: msg`Seconds that a run takes at least`,
    hint: msg`Degraded when a run that called /start succeeds sooner: it may have done nothing.`,
  },
  minimum_score: {
    label: msg`Minimum score`,
    hint: msg`Down below it, in points of 100. Leave it empty to measure it without going down.`,
  },
  message_pattern: {
    label: msg`Regular expression for a message`,
    hint: msg`In the syntax of RE2. Down without a message that matches.`,
  },
  min_consumers: {
    label: msg`Consumers at least`,
    hint: msg`Degraded when the queue has fewer, and down when it has none.`,
  },
  min_entries: {
    label: msg`Entries at least`,
    hint: msg`Down when fewer are found. No more of them are read.`,
  },
  min_protocol: {
    label: msg`Oldest version of TLS`,
    hint: msg`Down when the server agrees to an older one. Leave it empty to try none.`,
  },
  min_value: {
    label: msg`Degraded below this number`,
    hint: msg`When the value is a smaller one. Leave it empty for no limit.`,
  },
  network: {
    label: msg`Network`,
    hint: msg`The chain: eip155: and its number, such as eip155:8453.`,
  },
  oid: {
    label: msg`Variable`,
    hint: msg`Its object identifier in numbers, such as 1.3.6.1.2.1.1.3.0. Leave it empty to ask for how long the agent has run.`,
  },
  packets: { label: msg`Echo requests per check`, hint: msg`More of them find loss that is rare.` },
  password: { label: msg`Password`, hint: msg`Kept encrypted, and never shown again.` },
  payee: { label: msg`Payee`, hint: msg`The address that is to be paid. Another one makes it down.` },
  priv_password: {
    label: msg`Password for encryption`,
    hint: msg`For version 3, by AES-128. Public addresses need it. Kept encrypted, and never shown again.`,
  },
  protocol: {
    label: msg`Offered by`,
    hint: msg`x402 in the header PAYMENT-REQUIRED, MPP in WWW-Authenticate; any: one of them.`,
  },
  protocol_version: { label: msg`Version of the protocol` },
  proxy: {
    label: msg`Proxy`,
    hint: msg`By which servers are reached: http://host:port or socks5://host:port. It looks up names itself.`,
  },
  proxy_name: { label: msg`User at the proxy` },
  proxy_secret: { label: msg`Password at the proxy`, hint: msg`Kept encrypted, and never shown again.` },
  qos: {
    label: msg`Quality of service`,
    hint: msg`0: at most once, 1: at least once.`,
  },
  queue: {
    label: msg`Queue`,
    hint: msg`Down when it does not exist. Nothing is taken from it.`,
  },
  resolver: {
    label: msg`Name server`,
    hint: msg`The address of the one that is asked, such as 9.9.9.9. Leave it empty for those of the location.`,
  },
  schedule: {
    label: msg`Schedule, in place of the interval`,
    hint: msg`As in a crontab: minute, hour, day, month and weekday. 30 2 * * * is every day at 02:30.`,
  },
  scope: {
    label: msg`Scope`,
    hint: msg`The base alone (base), the level below it (one), or everything from it on (sub).`,
  },
  security: { label: msg`Security` },
  service: {
    label: msg`Service`,
    hint: msg`The one whose health is asked for, such as shop.v1.Orders. Leave it empty for the whole server.`,
  },
  sign_in: {
    label: msg`Sign in`,
    hint: msg`By digest, with a token of OAuth 2 for the client itself, or with a signature of AWS. Other ways go into the headers.`,
  },
  sign_in_name: {
    label: msg`Sign in as`,
    hint: msg`The user name, the id of the client, or the id of the access key.`,
  },
  sign_in_secret: { label: msg`Secret to sign in with`, hint: msg`The password, or the secret of the client or key.` },
  signature_warn_days: {
    label: msg`Days of warning before a signature expires`,
    hint: msg`Of the answer's own and of all that prove its keys. Those of top-level domains often last a week.`,
  },
  stapled_ocsp: {
    label: msg`OCSP from the server`,
    hint: msg`Down when what it sends says that its certificate was revoked, or is not valid; with required also when it sends nothing.`,
  },
  statement: {
    label: msg`Statement`,
    hint: msg`One statement of SQL that only reads. Leave it empty to run SELECT 1.`,
  },
  selector_attribute: { label: msg`Attribute of the element`, hint: msg`Leave it empty for its text.` },
  send: {
    label: msg`Message to send`,
    hint: msg`Kept encrypted, and never shown again. Leave it empty to send a ping.`,
  },
  strategy: { label: msg`Measured for` },
  subprotocol: {
    label: msg`Subprotocol`,
    hint: msg`Offered to the server, which has to choose it.`,
  },
  token: { label: msg`Access token` },
  topic: {
    label: msg`Topic of a message of its own`,
    hint: msg`Each check publishes a short message there, which must come back to it. Leave it empty to publish nothing.`,
  },
  token_audience: { label: msg`Audience of the token` },
  token_method: {
    label: msg`The client names itself`,
    hint: msg`Basic: in the header Authorization. Post: in the body.`,
  },
  token_scope: { label: msg`Scope of the token` },
  token_url: { label: msg`Token endpoint`, hint: msg`Where a token is asked for before the check.` },
  secrets: {
    label: msg`Secrets that steps send`,
    hint: msg`A step writes the name of one in double braces. Kept encrypted, and never shown again.`,
  },
  totp_secret: {
    label: msg`Secret of an authenticator`,
    hint: msg`Steps write its present code as totp in double braces. Kept encrypted, and never shown again.`,
  },
  unit: {
    label: msg`Unit`,
    hint: msg`Shown beside the number, such as % or GB.`,
  },
  username: { label: msg`User`, hint: msg`Kept encrypted, and never shown again.` },
  version: {
    label: msg`Version`,
    hint: msg`2c tells the community in clear text, which is for private addresses alone.`,
  },
  watched_topic: {
    label: msg`Watched topic`,
    hint: msg`Down when no message of it comes in time: the retained one, or the next. What it holds is never stored.`,
  },
  warn_days: { label: msg`Down before the end (days)` },
  weak_parameters: {
    label: msg`Weak parameters`,
    hint: msg`What a short key, a signature with MD5 or SHA-1, or a weak cipher makes of the check. Leave it empty for nothing.`,
  },
}
