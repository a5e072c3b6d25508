// `npm run test:references`: what we say and what others say of the same. The protocols are spoken with their public
// clients, a chain and conformance suites; versions and rates are compared with the libraries that know them; the linter
// is asked what it makes of our own rules. Files and flags may be given.
import { globSync } from 'node:fs'
import './install-suites.ts'
import { runTests } from './run-tests.ts'

const given = process.argv.slice(2)
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))
const { code } = await runTests({
  files: files.length > 0 ? files : globSync(['scripts/lint/*.test.ts', 'test/references/*.test.ts']).toSorted(),
  minutes: 5,
  flags,
})
process.exitCode = code
