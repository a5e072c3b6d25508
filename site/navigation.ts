// What the site shows, in its order. A page of docs/ that is missing here fails the tests, and so does one that is named
// twice.

export type Section = { title: string; pages: readonly Entry[] }

/** A document by its path in the repository, or a folder of them, which gets a page that lists it. */
export type Entry = string | { folder: string; title: string }

export const navigation: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'README.md',
      'docs/start.md',
      'docs/installing.md',
      'docs/moving-in.md',
      'docs/console.md',
      'docs/accessibility.md',
      'docs/terminal.md',
      'docs/comparison.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'Watching',
    pages: [
      'docs/monitors.md',
      'docs/dependencies.md',
      'docs/maintenance.md',
      'docs/evidence.md',
      'docs/history.md',
      'docs/verdicts.md',
    ],
  },
  { title: 'Kinds of monitor', pages: [{ folder: 'docs/kinds', title: 'Kinds of monitor' }] },
  { title: 'Being told', pages: ['docs/alerts.md', 'docs/on-call.md'] },
  { title: 'Contacts', pages: [{ folder: 'docs/contacts', title: 'Contacts' }] },
  {
    title: 'Telling others',
    pages: ['docs/status-pages.md', 'docs/reports.md', 'docs/objectives.md', 'docs/metrics.md'],
  },
  { title: 'Software', pages: ['docs/software.md', 'docs/software-imports.md', 'docs/vulnerabilities.md'] },
  {
    title: 'API and files',
    pages: [
      'docs/api.md',
      'docs/errors.md',
      'docs/versioning.md',
      'docs/sdk.md',
      'docs/projects.md',
      'docs/discovery.md',
      'docs/mcp.md',
    ],
  },
  {
    title: 'Agents and payments',
    pages: ['docs/agents.md', 'docs/payments.md', 'docs/payment-methods.md', 'docs/money.md'],
  },
  {
    title: 'Running it',
    pages: [
      'docs/configuration.md',
      'docs/people.md',
      'docs/operating.md',
      'docs/monitoring-perigee.md',
      'docs/runbooks.md',
      'docs/nats.md',
      'docs/supply-chain.md',
      'docs/trust.md',
      'docs/threat-model.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Working on it',
    pages: ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'STYLE.md', 'docs/releasing.md'],
  },
  { title: 'How it works inside', pages: [{ folder: 'docs/design', title: 'How it works inside' }] },
  { title: 'Decisions', pages: [{ folder: 'docs/decisions', title: 'Decisions' }] },
]

/** The section whose end is the API reference, which is no document but made of the OpenAPI document. */
export const referenceSection = 'API and files'
