// Writes the table of layers into ARCHITECTURE.md: `npm run layers`, after scripts/lint/layers.ts changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { layers } from './lint/layers.ts'
import { layersTable, withLayersTable } from './lint/layers-table.ts'

const file = new URL('../ARCHITECTURE.md', import.meta.url)
writeFileSync(file, withLayersTable(readFileSync(file, 'utf8'), layersTable(layers)))
