import type { Database } from '#store/database/database.ts'

/** A line each, in an order of their own: what PostgreSQL itself says of everything in the schemas that are ours. */
const statements: readonly string[] = [
  `select format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' else 'null' end, coalesce(pg_get_expr(d.adbin, d.adrelid), '-'),
    a.attidentity::text || a.attgenerated::text || a.attstorage::text || a.attcompression::text) as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = any($1::regnamespace[]) and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
    and not a.attisdropped
  order by c.relname, a.attnum`,
  `select format('relation %s %s %s %s %s', c.relname, c.relkind, c.reloptions, c.relpersistence,
    pg_get_partkeydef(c.oid)) as line
  from pg_class c where c.relnamespace = any($1::regnamespace[]) order by c.relname`,
  `select format('constraint %s %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as line
  from pg_constraint c where c.connamespace = any($1::regnamespace[]) order by c.conrelid::regclass::text, c.conname`,
  `select format('index %s', pg_get_indexdef(i.indexrelid)) as line
  from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = any($1::regnamespace[])
  order by i.indexrelid::regclass::text`,
  `select format('trigger %s', pg_get_triggerdef(t.oid)) as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = any($1::regnamespace[]) and not t.tgisinternal order by t.tgname, c.relname`,
  `select format('function %s', pg_get_functiondef(p.oid)) as line
  from pg_proc p where p.pronamespace = any($1::regnamespace[]) and p.prokind in ('f', 'p') order by p.oid::regprocedure::text`,
  `select format('type %s %s %s', t.typname, t.typtype, (select array_agg(e.enumlabel order by e.enumsortorder)
    from pg_enum e where e.enumtypid = t.oid)) as line
  from pg_type t where t.typnamespace = any($1::regnamespace[]) and t.typtype in ('e', 'd') order by t.typname`,
  `select format('view %s %s', c.relname, pg_get_viewdef(c.oid)) as line
  from pg_class c where c.relnamespace = any($1::regnamespace[]) and c.relkind in ('v', 'm') order by c.relname`,
  `select format('statistics %s', pg_get_statisticsobjdef(s.oid)) as line
  from pg_statistic_ext s where s.stxnamespace = any($1::regnamespace[]) order by s.stxname`,
]

/** Partitions of days are made as days come, and are left out: their parent says all of them. */
const ofDay = /\b\w+_\d{4}_?\d{2}(?:_?\d{2})?\b/

export async function readSchemaText({ pool }: Database): Promise<string> {
  const lines: string[] = []
  for (const statement of statements) {
    const { rows } = await pool.query<{ line: string }>(statement, [['public', 'people']])
    lines.push(...rows.map(({ line }) => line).filter((line) => !ofDay.test(line)))
  }
  return lines.join('\n')
}
