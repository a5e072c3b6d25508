// Searches the pages. The index and the library that reads it are loaded when the field is first entered, as scripts,
// so that the search works below any address and from a folder.
const place = document.querySelector('.search')
const field = place.querySelector('input')
const list = place.querySelector('ul')
const toRoot = document.body.dataset.root
const shown = 12
const contextLength = 120

/** @type {Promise<{ search: (words: string) => object[] }> | null} */
let index = null
let chosen = -1

place.hidden = false
field.addEventListener('focus', () => void prepare())
field.addEventListener('input', () => void find())
field.addEventListener('keydown', move)
document.addEventListener('keydown', enter)
document.addEventListener('click', ({ target }) => {
  if (!place.contains(target)) close()
})

function prepare() {
  index ??= Promise.all([load('assets/minisearch.js'), load('assets/search-index.js')]).then(read)
  return index
}

function load(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = toRoot + address
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error(`${address} cannot be loaded`)))
    document.head.append(script)
  })
}

function read() {
  const search = new globalThis.MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['address', 'heading', 'page', 'text', 'weight'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (word) => word.length > 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (_id, _term, { weight }) => weight,
    },
  })
  search.addAll(globalThis.perigeeSearch)
  return search
}

async function find() {
  const words = field.value.trim()
  if (words === '') return close()
  const found = (await prepare()).search(words).slice(0, shown)
  // Another letter was typed while the index was on its way.
  if (words !== field.value.trim()) return
  list.replaceChildren(...(found.length === 0 ? [nothing(words)] : found.map(itemOf)))
  list.hidden = false
  field.setAttribute('aria-expanded', 'true')
  choose(found.length === 0 ? -1 : 0)
}

function nothing(words) {
  const item = document.createElement('li')
  item.className = 'nothing'
  item.textContent = `Nothing is said of “${words}”.`
  return item
}

function itemOf({ address, heading, page, text, terms }, at) {
  const item = document.createElement('li')
  item.id = `found-${at}`
  item.role = 'option'
  const link = document.createElement('a')
  link.href = toRoot + address
  link.tabIndex = -1
  const title = document.createElement('strong')
  title.textContent = heading
  const where = document.createElement('span')
  where.className = 'quiet'
  where.textContent = page
  const context = document.createElement('span')
  context.className = 'context'
  context.textContent = around(text, terms)
  link.append(title, ' ', where, context)
  item.append(link)
  return item
}

/** The words around the first one that was found. */
function around(text, terms) {
  const lower = text.toLowerCase()
  const at = Math.max(0, ...terms.map((term) => lower.indexOf(term)).slice(0, 1))
  const from = at < contextLength / 3 ? 0 : text.indexOf(' ', at - contextLength / 3) + 1
  const part = text.slice(from, from + contextLength)
  return `${from > 0 ? '… ' : ''}${part}${from + contextLength < text.length ? ' …' : ''}`
}

function choose(at) {
  const items = [...list.querySelectorAll('[role=option]')]
  chosen = items.length === 0 ? -1 : (at + items.length) % items.length
  for (const [position, item] of items.entries()) item.ariaSelected = String(position === chosen)
  const item = items[chosen]
  if (item === undefined) return field.removeAttribute('aria-activedescendant')
  field.setAttribute('aria-activedescendant', item.id)
  item.scrollIntoView({ block: 'nearest' })
}

function move(event) {
  if (event.key === 'ArrowDown') choose(chosen + 1)
  else if (event.key === 'ArrowUp') choose(chosen - 1)
  else if (event.key === 'Enter') list.querySelector('[aria-selected=true] a')?.click()
  else if (event.key === 'Escape') close()
  else return
  event.preventDefault()
}

/** A slash goes to the field, from wherever nothing is typed into. */
function enter(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  field.focus()
}

function close() {
  list.hidden = true
  field.setAttribute('aria-expanded', 'false')
  field.removeAttribute('aria-activedescendant')
}
