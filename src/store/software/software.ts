import { randomUUID } from 'node:crypto'
import type { ListSize } from '#core/software/list-size.ts'
import { type ListedSoftware, type NamedSoftware, softwareChange } from '#core/software/software-change.ts'
import { textArray } from '#store/database/array-literal.ts'
import { type ComponentName, holdComponents } from './components.ts'
import type { Transaction } from '#store/database/database.ts'
import { noteFindings, refreshFindings } from './findings.ts'

/**
 * A part of a monitor's list: the entries of a scan, the imports under one label, or the entries that a person added.
 */
export type SoftwarePart = {
  monitorKey: string
  source: 'detected' | 'import' | 'manual'
  /** Only imports have one. */
  label: string | null
}

/** One entry of a monitor's list. */
export type Entry = { monitorKey: string; id: string }

/**
 * Holds a monitor's list for a change. Every change comes here first, so that changes of one monitor wait for each
 * other. False where the monitor is gone.
 */
export async function lockSoftware(tx: Transaction, monitorKey: string): Promise<boolean> {
  const { rowCount } = await tx.client.query({
    name: 'lock_software',
    text: 'select from monitors where key = $1 for no key update',
    values: [monitorKey],
  })
  return rowCount === 1
}

/** Makes a part of the list what was found now. Only under `lockSoftware`. */
export async function replaceSoftware(
  tx: Transaction,
  part: SoftwarePart,
  { found, at }: { found: readonly NamedSoftware[]; at: Date },
): Promise<void> {
  const { added, changed, removed } = softwareChange(await readPart(tx, part), found)
  const [addedKeys, changedKeys] = await holdBoth(tx, part.monitorKey, { added, changed })
  await deleteEntries(
    tx,
    removed.map(({ id }) => id),
  )
  await tx.client.query({
    name: 'change_software',
    text: changeStatement,
    values: [
      changed.map(({ id }) => id),
      changedKeys,
      textArray(changed.map(({ name }) => name)),
      textArray(changed.map(({ evidence }) => evidence)),
    ],
  })
  const ids = added.map(() => randomUUID())
  await tx.client.query({
    name: 'add_software',
    text: addStatement,
    values: [
      ids,
      addedKeys,
      textArray(added.map(({ name }) => name)),
      textArray(added.map(({ evidence }) => evidence)),
      part.monitorKey,
      part.source,
      part.label,
      at,
    ],
  })
  await refreshFindings(tx, [...ids, ...changed.map(({ id }) => id)], at)
}

/** Products that a person added, or gave a version. What a scan sees of them does not count. */
export async function listManualProducts({ client }: Transaction, monitorKey: string): Promise<string[]> {
  const { rows } = await client.query<{ product: string }>({
    name: 'manual_products',
    text: `select distinct component.product
    from monitor_software as software
    join components as component on component.key = software.component_key
    where software.monitor_key = $1
      and software.source = 'manual'`,
    values: [monitorKey],
  })
  return rows.map(({ product }) => product)
}

/** `besides` leaves out what came from one source. */
export async function sizeOfList(
  { client }: Transaction,
  monitorKey: string,
  { besides = null }: { besides?: SoftwarePart['source'] | null } = {},
): Promise<ListSize> {
  const { rows } = await client.query<ListSize>({
    name: 'size_of_list',
    text: sizeStatement,
    values: [monitorKey, besides],
  })
  return rows[0] ?? { entries: 0, bytes: 0 }
}

/** The entries that a scan saw in these places. */
export async function listSeenAt(
  { client }: Transaction,
  monitorKey: string,
  evidence: readonly string[],
): Promise<NamedSoftware[]> {
  if (evidence.length === 0) return []
  const { rows } = await client.query<NamedSoftware>({
    name: 'list_seen_at',
    text: `select product, software.name, version, evidence
    from monitor_software as software
    join components as component on component.key = software.component_key
    where monitor_key = $1
      and source = 'detected'
      and evidence = any($2::text[])
    order by software.added_at, software.id`,
    values: [monitorKey, textArray(evidence)],
  })
  return rows
}

/** With its findings. */
export async function removeSoftware(tx: Transaction, { monitorKey, id }: Entry): Promise<void> {
  await noteFindings(tx, [monitorKey])
  await deleteEntries(tx, [id])
}

/** Returns how many entries there were. */
export async function removeImport(
  tx: Transaction,
  { monitorKey, label }: { monitorKey: string; label: string },
): Promise<number> {
  await noteFindings(tx, [monitorKey])
  const removed = await tx.client.query({
    name: 'remove_import',
    text: `delete from monitor_software where monitor_key = $1 and source = 'import' and label = $2`,
    values: [monitorKey, label],
  })
  return removed.rowCount ?? 0
}

export async function setIgnored(tx: Transaction, { monitorKey, id }: Entry, ignored: boolean): Promise<void> {
  await noteFindings(tx, [monitorKey])
  await tx.client.query({
    name: 'ignore_software',
    text: 'update monitor_software set ignored = $2 where id = $1',
    values: [id, ignored],
  })
}

export type ByHand = { monitorKey: string; product: string; name: string; version: string | null; at: Date }

/**
 * Adds an entry, or takes up the one that is there and was ignored. What a scan saw of the product becomes this entry,
 * with the findings that were told: the next scan would leave it out. Only under `lockSoftware`.
 */
export async function addByHand(tx: Transaction, added: ByHand): Promise<void> {
  const seen = await listSeen(tx, added)
  const [first] = seen
  const isTaken = first !== undefined && (await setVersion(tx, { ...added, id: first })) === first
  if (!isTaken) await insertByHand(tx, added)
  await deleteEntries(tx, isTaken ? seen.slice(1) : seen)
}

/** The entries that scans made of a product, without ignored ones: those tell later scans what to ignore. */
async function listSeen({ client }: Transaction, { monitorKey, product }: ByHand): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'list_seen',
    text: `select software.id
    from monitor_software as software
    join components as component on component.key = software.component_key
    where monitor_key = $1
      and product = $2
      and source = 'detected'
      and not ignored
    order by software.added_at, software.id`,
    values: [monitorKey, product],
  })
  return rows.map(({ id }) => id)
}

async function insertByHand(tx: Transaction, { monitorKey, product, name, version, at }: ByHand): Promise<void> {
  const [componentKey] = await holdNamed(tx, monitorKey, [{ product, version }])
  const added = await tx.client.query<{ id: string }>({
    name: 'add_by_hand',
    text: `insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
    values ($1, $2, $3, $4, 'manual', $5)
    on conflict (monitor_key, source, label, component_key) do update
    set ignored = false
    returning id`,
    values: [randomUUID(), monitorKey, componentKey, name, at],
  })
  await refreshFindings(
    tx,
    added.rows.map(({ id }) => id),
    at,
  )
}

export type VersionByHand = { monitorKey: string; id: string; product: string; version: string | null; at: Date }

/**
 * Gives an entry a version; it counts as added by hand from then on. Returns the
 * entry's id, or that of another that says the same already. Only under `lockSoftware`.
 */
export async function setVersion(tx: Transaction, change: VersionByHand): Promise<string> {
  const { monitorKey, id, product, version, at } = change
  const [componentKey] = await holdNamed(tx, monitorKey, [{ product, version }])
  const same = await tx.client.query<{ id: string }>({
    name: 'same_by_hand',
    text: `select id
    from monitor_software
    where monitor_key = $1
      and source = 'manual'
      and component_key = $2
      and id <> $3`,
    values: [monitorKey, componentKey, id],
  })
  const other = same.rows[0]?.id
  if (other !== undefined) return other
  await tx.client.query({
    name: 'set_version',
    text: `update monitor_software
    set component_key = $2, source = 'manual', label = null, evidence = null
    where id = $1`,
    values: [id, componentKey],
  })
  await refreshFindings(tx, [id], at)
  return id
}

async function readPart({ client }: Transaction, part: SoftwarePart): Promise<ListedSoftware[]> {
  const { rows } = await client.query<ListedSoftware>({
    name: 'read_software_part',
    text: `select software.id, product, software.name, version, evidence, ignored
    from monitor_software as software
    join components as component on component.key = software.component_key
    where monitor_key = $1
      and source = $2
      and label is not distinct from $3
    order by software.added_at, software.id`,
    values: [part.monitorKey, part.source, part.label],
  })
  return rows
}

/** In one go, so that all are held in one order. */
async function holdBoth(
  tx: Transaction,
  monitorKey: string,
  { added, changed }: { added: readonly NamedSoftware[]; changed: readonly NamedSoftware[] },
): Promise<[string[], string[]]> {
  const keys = await holdNamed(tx, monitorKey, [...added, ...changed])
  return [keys.slice(0, added.length), keys.slice(added.length)]
}

/** The components before the alerts: comparisons hold them in this order. */
async function holdNamed(tx: Transaction, monitorKey: string, names: readonly ComponentName[]): Promise<string[]> {
  const keys = await holdComponents(tx, names)
  await noteFindings(tx, [monitorKey])
  return keys
}

async function deleteEntries({ client }: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await client.query({
    name: 'remove_software',
    text: 'delete from monitor_software where id = any($1::uuid[])',
    values: [ids],
  })
}

// As `core/software/list-size` counts them. Eight megabytes are far below what an integer holds, and so is twice that.
const sizeStatement = `
select
  count(*)::integer as entries,
  coalesce(sum(
    octet_length(to_json(component.product)::text)
    + octet_length(to_json(software.name)::text)
    + coalesce(octet_length(to_json(component.version)::text), 4)
    + coalesce(octet_length(to_json(software.evidence)::text), 4)
  ), 0)::integer as bytes
from monitor_software as software
join components as component on component.key = software.component_key
where software.monitor_key = $1
  and software.source is distinct from $2`

const changeStatement = `
update monitor_software as software
set component_key = changed.component_key, name = changed.name, evidence = changed.evidence
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) as changed (id, component_key, name, evidence)
where software.id = changed.id`

const addStatement = `
insert into monitor_software (id, monitor_key, component_key, name, source, evidence, label, added_at)
select added.id, $5, added.component_key, added.name, $6, added.evidence, $7, $8
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) as added (id, component_key, name, evidence)`
