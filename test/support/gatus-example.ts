import { parseYamlDocuments } from '#manifests/yaml.ts'

/** A configuration of Gatus with an endpoint of every type, as the values of its YAML. */
export const gatusExample: readonly unknown[] = parseYamlDocuments(`
ui:
  header: Example Company
maintenance:
  start: 23:00
  duration: 1h
  timezone: Europe/Amsterdam
  every: [Monday, Thursday]
alerting:
  slack:
    webhook-url: https://hooks.slack.com/services/T0/B0/x
    default-alert:
      failure-threshold: 5
      send-on-resolved: true
  email:
    from: gatus@example.com
    host: mail.example.com
    port: 587
    to: "ada@example.com,bob@example.com"
  discord:
    webhook-url: https://discord.com/api/webhooks/123/abc
  googlechat:
    webhook-url: https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t
  teams-workflows:
    webhook-url: https://example.webhook.office.com/webhookb2/x
  gotify: { server-url: "https://gotify.example.com", token: Aabcdefgh12345 }
  matrix: { access-token: syt_abcdefgh, internal-room-id: "!abcdef:example.com" }
  mattermost: { webhook-url: "https://mm.example.com/hooks/abc123", channel: town-square }
  ntfy: { topic: perigee-example, priority: 2 }
  pagerduty: { integration-key: 0123456789abcdef0123456789abcdef }
  pushover: { application-token: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, user-key: uuuuuuuuuuuuuuuuuuuuuuuuuuuuuu }
  telegram: { token: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", id: "-1001234567890" }
  twilio: { sid: AC00000000000000000000000000000000, token: ffffffffffffffffffffffffffffffff, from: "+15005550006", to: "+491701234567" }
  custom:
    url: https://example.com/hook
default: &defaults
  group: core
  interval: 5m
  conditions:
    - "[STATUS] == 200"
endpoints:
  - name: website
    <<: *defaults
    url: https://example.com/health
    conditions:
      - "[STATUS] == any(200, 429)"
      - "[BODY].status == UP"
      - "[BODY].pool.free > 3"
      - "[RESPONSE_TIME] < 300"
      - "[CERTIFICATE_EXPIRATION] > 48h"
    alerts:
      - type: slack
      - type: pagerduty
        minimum-reminder-interval: 30m
    maintenance-windows:
      - start: "07:30"
        duration: 40m
        timezone: Europe/Berlin
  - name: website
    <<: *defaults
    url: https://example.org/
    client: { insecure: true, ignore-redirect: true, timeout: 2s, dns-resolver: "tcp://8.8.8.8:53" }
  - name: anything goes
    url: https://example.org/
    enabled: false
    conditions: ["[CONNECTED] == true"]
    alerts:
      - type: email
      - type: nothing-of-that-name
  - name: question
    url: https://example.org/graphql
    graphql: true
    body: "{ users { id } }"
    headers: { Authorization: "Bearer \${TOKEN}" }
    conditions: ["[STATUS] < 300", "[STATUS] >= 200", "has([BODY].data.users[0]) == true"]
  - name: page
    url: https://example.org/
    conditions: ["[STATUS] == pat(2*)", "[BODY] == pat(*<h1>Example</h1>*)"]
  - { name: port, url: "tcp://127.0.0.1:6379", conditions: ["[CONNECTED] == true"] }
  - { name: ping, url: "icmp://example.org", conditions: ["[CONNECTED] == true", "[RESPONSE_TIME] < 50ms"] }
  - { name: tls, url: "tls://ldap.example.com:636", conditions: ["[CERTIFICATE_EXPIRATION] > 240h"] }
  - { name: mail, url: "starttls://smtp.example.com:587", conditions: ["[CONNECTED] == true"] }
  - { name: shell, url: "ssh://example.com:22", ssh: { username: u, password: p }, conditions: ["[STATUS] == 0"] }
  - { name: datagram, url: "udp://example.com:9", body: "hi", conditions: ["[CONNECTED] == true"] }
  - { name: silent datagram, url: "udp://example.com:9", conditions: ["[CONNECTED] == true"] }
  - { name: socket, url: "wss://example.com/", conditions: ["[CONNECTED] == true"] }
  - { name: sctp, url: "sctp://example.com:9", conditions: ["[CONNECTED] == true"] }
  - { name: grpc, url: "grpc://example.com:9", conditions: ["[CONNECTED] == true"] }
  - name: name
    url: 8.8.8.8
    dns: { query-name: example.com, query-type: A }
    conditions: ["[BODY] == 93.184.215.14", "[DNS_RCODE] == NOERROR"]
external-endpoints:
  - name: job
    group: core
    token: potato
    heartbeat: { interval: 30m }
    alerts: [{ type: slack }]
suites:
  - name: checkout
announcements: [{ timestamp: 2025-11-07T14:00:00Z, message: hello }]
`)
