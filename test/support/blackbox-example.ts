import { parseYamlDocuments } from '#manifests/yaml.ts'

/** Modules of blackbox_exporter, what Prometheus has it probe, and targets in a file, as the values of their YAML. */
export const blackboxExample: readonly unknown[] = parseYamlDocuments(`
modules:
  web:
    prober: http
    timeout: 5s
    http:
      valid_status_codes: [200, 201]
      method: POST
      headers: { Content-Type: application/json }
      http_headers:
        X-Key: { values: [one] }
        X-File: { files: [/etc/key] }
      body: "{}"
      follow_redirects: false
      fail_if_not_ssl: true
      fail_if_body_matches_regexp: ["Could not connect"]
      fail_if_body_not_matches_regexp: ["Download the latest version here"]
      basic_auth: { username: ada, password: secret }
      tls_config: { insecure_skip_verify: true, ca_file: /certs/ca.crt }
      ip_protocol_fallback: false
  json:
    prober: http
    http:
      fail_if_body_json_not_matches_cel: "body.state.name == 'ok'"
  ldaps: { prober: tcp, tcp: { tls: true } }
  starttls:
    prober: tcp
    tcp: { query_response: [{ expect: "^220" }, { send: STARTTLS }, { starttls: true }] }
  banner: { prober: tcp, tcp: { query_response: [{ expect: "^SSH-2.0-" }, { send: SSH-2.0-check }] } }
  postgresql: { prober: tcp, tcp: { query_response: [{ send: !!binary AAAACATSFi8= }, { expect_bytes: S }, { starttls: true }] } }
  pop3s: { prober: tcp, tcp: { tls: true, query_response: [{ expect: "^+OK" }] } }
  irc: { prober: tcp, tcp: { query_response: [{ send: NICK prober }, { expect: PING }] } }
  address: { prober: dns, dns: { query_name: www.example.com., query_type: A, validate_answer_rrs: { fail_if_matches_regexp: [x] } } }
  any: { prober: dns, dns: { query_name: example.com } }
  health: { prober: grpc }
---
global: { scrape_interval: 30s }
scrape_configs:
  - job_name: prometheus
    static_configs: [{ targets: ["localhost:9090"] }]
  - job_name: web
    metrics_path: /probe
    params: { module: [web] }
    static_configs:
      - targets: ["https://example.com", "http://example.org/"]
        labels: { env: production }
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target }
      - { target_label: __address__, replacement: "127.0.0.1:9115" }
  - { job_name: json, metrics_path: /probe, params: { module: [json] }, static_configs: [{ targets: [api.example.com] }] }
  - { job_name: plain, metrics_path: /probe, scrape_interval: 5m, file_sd_configs: [{ files: [targets.yml] }] }
  - job_name: framed
    metrics_path: /probe
    params: { module: [http_2xx] }
    dns_sd_configs: [{ names: [example.com] }]
    static_configs: [{ targets: [shop.example.com] }]
    relabel_configs: [{ target_label: __param_target, replacement: "https://$1/health" }]
  - { job_name: tls, metrics_path: /probe, params: { module: [ldaps] }, static_configs: [{ targets: ["ldap.example.com:636"] }] }
  - { job_name: mail, metrics_path: /probe, params: { module: [starttls] }, static_configs: [{ targets: ["mail.example.com:587"] }] }
  - { job_name: pop, metrics_path: /probe, params: { module: [pop3s] }, static_configs: [{ targets: ["mail.example.com:995"] }] }
  - { job_name: shell, metrics_path: /probe, params: { module: [banner] }, static_configs: [{ targets: ["example.com:22"] }] }
  - { job_name: chat, metrics_path: /probe, params: { module: [irc] }, static_configs: [{ targets: ["irc.example.com:6667"] }] }
  - { job_name: ping, metrics_path: /probe, params: { module: [icmp] }, static_configs: [{ targets: [192.0.2.1, "2001:db8::1"] }] }
  - { job_name: dns, metrics_path: /probe, params: { module: [address] }, static_configs: [{ targets: [8.8.8.8] }] }
  - { job_name: any, metrics_path: /probe, params: { module: [any] }, static_configs: [{ targets: [8.8.8.8] }] }
  - { job_name: grpc, metrics_path: /probe, params: { module: [health] }, static_configs: [{ targets: ["a:1"] }] }
  - { job_name: unknown, metrics_path: /probe, params: { module: [nowhere] }, static_configs: [{ targets: ["a:1"] }] }
---
- targets: ["https://listed.example.com/"]
  labels: { team: blue }
`)
