// `npm run test:faults`, as root: the service while its own ground fails. Networks are namespaces, which Linux gives to
// root. The tests run as all tests do, with an embedded PostgreSQL; files and flags may be given.
import { globSync } from 'node:fs'
import { installPackages } from './debian-packages.ts'
import { runTests } from './run-tests.ts'

installPackages(['iproute2'])
const given = process.argv.slice(2)
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))
const all = globSync('test/faults/*.test.ts').toSorted()
// Faults last for most of the time. The longest file is the first by its name.
const lanes = '--test-concurrency=3'
const { code } = await runTests({ files: files.length > 0 ? files : all, minutes: 5, flags: [lanes, ...flags] })
process.exitCode = code
