import { execFileSync } from 'node:child_process'

/**
 * Gives a service that has not been started yet the data folder that `npm test` prepared: an empty database at the
 * schema of this release, which takes a start a second to make. It holds no token or link yet.
 */
export function prepareData(dataFolder: string): void {
  const { PERIGEE_TEST_DATA: prepared } = process.env
  if (prepared === undefined) throw new Error('Run the tests with "npm test -- <file>", which prepares their data.')
  // With its owners: the PostgreSQL of a root user runs as another one. Node's own copy forgets them.
  execFileSync('cp', ['-a', prepared, dataFolder])
}
