/**
 * Addresses of the outside services that kinds ask. Each is a root without a final slash, to which the service's public
 * path is appended; only `rdapBootstrapUrl` is the address of dns.json itself.
 */
export type OutsideServices = {
  pageSpeedUrl: string
  webRiskUrl: string
  rdapBootstrapUrl: string
  whoisHost: { host: string; port: number }
}

export const publicServices: OutsideServices = {
  pageSpeedUrl: 'https://pagespeedonline.googleapis.com',
  webRiskUrl: 'https://webrisk.googleapis.com',
  rdapBootstrapUrl: 'https://data.iana.org/rdap/dns.json',
  whoisHost: { host: 'whois.iana.org', port: 43 },
}
