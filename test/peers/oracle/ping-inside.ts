// Run by oracle-ping.test.ts in a network of its own; tests like any other file, and ends with their outcome.
import { compareVerdicts } from './compare.ts'
import { insideCases } from './ping.ts'

await compareVerdicts(insideCases())
