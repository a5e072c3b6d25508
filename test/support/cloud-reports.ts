/** The answer of a Statuspage, with a group, an incident and a maintenance. */
export function statuspage(indicator: string, statuses: Record<string, string>) {
  return {
    page: { id: 'x', name: 'Cloud', url: 'https://status.example', time_zone: 'Etc/UTC' },
    components: Object.entries(statuses).map(([name, status]) => ({ id: name, name, status, group: name === 'EU' })),
    incidents:
      indicator === 'none'
        ? []
        : [
            { name: 'Errors', status: 'identified', impact: indicator, components: [{ id: 'API', name: 'API' }] },
            { name: 'Old errors', status: 'postmortem', impact: 'critical', components: [] },
          ],
    scheduled_maintenances: [{ name: 'Upgrade', status: 'scheduled', impact: 'maintenance' }],
    status: { indicator, description: 'words' },
  }
}

/** Google's incidents.json with one incident that goes on since 2 May 2026, 10:00 UTC, and one that is over. */
export const google = [
  {
    id: 'a',
    begin: '2026-05-02T10:00:00+00:00',
    external_desc: 'Elevated latency in us-central1',
    status_impact: 'SERVICE_DISRUPTION',
    severity: 'medium',
    service_name: 'Multiple Products',
    affected_products: [{ title: 'Google Compute Engine', id: 'L3ggmi3Jy4xJmgodFA9K' }],
    currently_affected_locations: [{ title: 'Iowa (us-central1)', id: 'us-central1' }],
  },
  {
    id: 'b',
    begin: '2026-05-01T10:00:00+00:00',
    end: '2026-05-01T11:00:00+00:00',
    external_desc: 'Over',
    status_impact: 'SERVICE_OUTAGE',
  },
]

/** Amazon's currentevents with one event that goes on and two that are over. */
export const amazon = [
  {
    date: '1777716000',
    arn: 'arn:aws:health:us-east-1::event/EC2/AWS_EC2_OPERATIONAL_ISSUE/X',
    region_name: 'N. Virginia',
    status: '3',
    service: 'ec2-us-east-1',
    service_name: 'Amazon Elastic Compute Cloud',
    summary: 'Increased API error rates',
    event_log: [{ summary: 'x', message: 'y', status: 3, timestamp: 1777716000 }],
  },
  { date: '1777700000', region_name: 'Oregon', status: '0', service: 's3-us-west-2', summary: 'Fine', event_log: [] },
  { region_name: 'Oregon', status: '2', service: 's3-us-west-2', summary: '[RESOLVED] S3 errors', event_log: [] },
]
