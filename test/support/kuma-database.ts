// Databases with the columns that the migrations of Uptime Kuma make, of its commit 6398a95 (release 2.5.3) and of the
// last patch of its releases 1.23.
import { DatabaseSync } from 'node:sqlite'

const release1: Readonly<Record<string, string>> = {
  monitor: `name active user_id interval url type weight hostname port created_date keyword maxretries ignore_tls
    upside_down maxredirects accepted_statuscodes_json dns_resolve_type dns_resolve_server dns_last_result
    retry_interval push_token method body headers basic_auth_user basic_auth_pass docker_host docker_container proxy_id
    expiry_notification mqtt_topic mqtt_success_message mqtt_username mqtt_password database_connection_string
    database_query auth_method auth_domain auth_workstation grpc_url grpc_protobuf grpc_body grpc_metadata grpc_method
    grpc_service_name grpc_enable_tls radius_username radius_password radius_calling_station_id
    radius_called_station_id radius_secret resend_interval packet_size game http_body_encoding description tls_ca
    tls_cert tls_key parent invert_keyword json_path expected_value kafka_producer_topic kafka_producer_brokers
    kafka_producer_sasl_options kafka_producer_message oauth_client_id oauth_client_secret oauth_token_url oauth_scopes
    oauth_auth_method timeout gamedig_given_port_only kafka_producer_ssl kafka_producer_allow_auto_topic_creation`,
  notification: 'name active user_id is_default config',
  proxy: 'user_id protocol host port auth username password active default created_date',
  monitor_notification: 'monitor_id notification_id',
  tag: 'name color created_date',
  monitor_tag: 'monitor_id tag_id value',
  status_page: `slug title description icon theme published search_engine_index show_tags password created_date
    modified_date footer_text custom_css show_powered_by show_certificate_expiry google_analytics_tag_id`,
  status_page_cname: 'status_page_id domain',
  group: 'name created_date public active weight status_page_id',
  monitor_group: 'monitor_id group_id weight send_url',
  incident: 'title content style created_date last_updated_date pin active status_page_id',
  maintenance: `title description user_id active strategy start_date end_date start_time end_time weekdays days_of_month
    interval_day cron timezone duration`,
  monitor_maintenance: 'monitor_id maintenance_id',
  heartbeat: 'important monitor_id status msg time ping duration down_count',
  setting: 'key value type',
}

const release2: Readonly<Record<string, string>> = {
  ...release1,
  monitor: `${release1['monitor']} mqtt_check_type remote_browser snmp_oid snmp_version json_path_operator cache_bust
    conditions rabbitmq_nodes rabbitmq_username rabbitmq_password smtp_security ws_ignore_sec_websocket_accept_header
    ws_subprotocol ping_count ping_numeric ping_per_request_timeout ip_family manual_status oauth_audience
    mqtt_websocket_path domain_expiry_notification save_response save_error_response response_max_length
    system_service_name subtype location protocol snmp_v3_username expected_tls_alert
    retry_only_on_status_code_failure screenshot_delay ntp_stratum_threshold ntp_time_offset_threshold
    ntp_root_dispersion_threshold bearer_token gamedig_token`,
  monitor_group: `${release1['monitor_group']} custom_url`,
  heartbeat: `${release1['heartbeat']} end_time retries response`,
  stat_daily: 'monitor_id timestamp ping up down ping_min ping_max extras',
}

type Row = Readonly<Record<string, string | number | null>>

/** Columns of rows that the release does not have are left out. The caller closes it. */
export function writeKumaDatabase(
  file: string,
  release: 1 | 2,
  tables: Readonly<Record<string, readonly Row[]>>,
): DatabaseSync {
  const database = new DatabaseSync(file)
  for (const [table, listed] of Object.entries(release === 1 ? release1 : release2)) {
    const columns = listed.split(/\s+/)
    database.exec(`create table [${table}] (id integer primary key, ${columns.map((name) => `[${name}]`).join(', ')})`)
    const known = new Set(['id', ...columns])
    for (const row of tables[table] ?? []) {
      const given = Object.entries(row).filter(([name]) => known.has(name))
      const names = given.map(([name]) => `[${name}]`).join(', ')
      const marks = given.map(() => '?').join(', ')
      database.prepare(`insert into [${table}] (${names}) values (${marks})`).run(...given.map(([, value]) => value))
    }
  }
  return database
}
