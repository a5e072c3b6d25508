/** Why an oracle's verdict is not ours, as docs/verdicts.md says it. */
export const reasons = {
  clientError: 'check_http calls a status of 400 to 499 a warning; for us what is not expected is down',
  endlessRedirects: 'check_http calls too many redirects a warning; nobody gets an answer, so for us it is down',
  length: 'check_http does not compare the body with the length that the headers promise',
  slow: 'the exporter has no degraded: a rule about probe_duration_seconds has to judge',
  dateOnly: "the plugin looks at the certificate's dates only, not at its name and issuer",
  noStarttls: 'check_smtp calls it a warning that it cannot have STARTTLS; mail that wants TLS does not get through',
  inClear: 'the plugin knows no STARTTLS here: it reads the greeting in clear',
  noRule: 'the exporter tells the end (probe_ssl_earliest_cert_expiry): a rule about it has to judge',
  digWarns: 'check_dig calls it a warning when the answer is another, or nobody listens',
  alias: 'check_dig is content with the alias, although it leads nowhere',
  listsEverything: 'the oracles ask one question; the test entries (RFC 5782 5) show that the answer means nothing',
  listRefuses: 'the oracles take the refusal for a listing; it is the location that the list does not serve',
  listGone: 'a list that is gone lists nobody, so the oracles are content; nobody is protected any more',
  negated: 'negate makes of "no answer" what it makes of "not listed"',
  textOnly: 'the oracles find a text in the record; they do not read what the record means',
  textWarns: 'the oracles only find a text or not; a server that works, but has too much, is degraded for us',
  unknownHost: 'the plugin takes a name that does not exist for a mistake in its call',
  prefersTls: 'check_mysql goes on in clear text where it is offered no TLS, and tells the password',
  ofSnmpget: 'check_snmp takes each failure of snmpget for a mistake in its call',
  noSuchObject: 'check_snmp takes the words "No Such Object" for the value',
  unknownName: 'check_icmp takes a name that does not exist for a mistake in its call',
} as const

export type Reason = keyof typeof reasons
