import type { Equivalent } from './equivalent.ts'

/** Changes of rules that no test can find. */
export const equivalentsOfRules: readonly Equivalent[] = [
  {
    file: 'src/core/contacts/on-call-grafana-recurrence.ts',
    line: 'Array.from({ length: weekMinutes / step }, (_, index) => ({ starts: starts - index * step, lasts })),',
    because: 'All shifts of a week are the same, counted forwards or backwards.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: "const isNear = (time: string): boolean => time > '1970' && time < '2100'",
    because: 'A time goes on behind its year, so that it is never the year alone.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: "const isNear = (time: string): boolean => time >= '1970' && time <= '2100'",
    because: 'A time goes on behind its year, so that it is never the year alone.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: 'const aheadIn = (month: number): number => clock.at(Date.UTC(year, month, 2)) - Date.UTC(year, month, 1)',
    because: 'Both months are compared in the same way.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: 'const aheadIn = (month: number): number => clock.at(Date.UTC(year, month, 1)) - Date.UTC(year, month, 2)',
    because: 'Both months are compared in the same way.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: 'if (aheadIn(1) !== aheadIn(6))',
    because: 'No zone changes its clocks in January.',
  },
  {
    file: 'src/core/contacts/on-call-import-json.ts',
    line: 'if (aheadIn(0) !== aheadIn(7))',
    because: 'No zone changes its clocks in July.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'for (const ahead of [2, days]) {',
    because: 'How far the first look goes only decides how soon an end is seen.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'return contactId === null ? new Date(8640000000000001) : reached',
    because: 'A time that no clock shows is as little before the end of the span as the last one that a clock shows.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'for (let above = upper[next]; above !== undefined && above.startsAt <= shift.endsAt; above = upper[next]) {',
    because: 'A shift that begins where this one ends lies above none of it, and is laid behind it in either case.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'if (above.endsAt >= startsAt) startsAt = above.endsAt',
    because: 'Where both are the same moment, the moment stays.',
  },
  {
    file: 'src/core/contacts/on-call-shifts.ts',
    line: 'if (above.endsAt >= shift.endsAt) break',
    because: 'A shift that ends with this one is laid with the next one, or with the rest.',
  },
  {
    file: 'src/core/imports/gatus/gatus-conditions.ts',
    line: 'return found === null || found.index === 0 ? [null, 1] : [found[0], found.index]',
    because: 'Where there is no operator, its place is not looked at.',
  },
  {
    file: 'src/core/imports/kuma/kuma-maintenance.ts',
    line: "if (day === undefined || day <= '1970' || day >= '2100') return null",
    because: 'A day goes on behind its year, so that it is never the year alone.',
  },
  {
    file: 'src/core/imports/kuma/kuma-maintenance.ts',
    line: "if (day === undefined || day < '1970' || day > '2100') return null",
    because: 'A day goes on behind its year, so that it is never the year alone.',
  },
  {
    file: 'src/core/imports/gatus/gatus-web.ts',
    line: 'const anyStatus: readonly StatusRange[] = [[100, 600]]',
    because: 'What is made of the ranges ends at 599.',
  },
  {
    file: 'src/core/imports/healthchecks.ts',
    line: 'for (let runs = 1; last !== null && runs < maxRuns; runs += 1) {',
    because: 'No schedule has so many runs in eleven days.',
  },
  {
    file: 'src/core/imports/healthchecks.ts',
    line: 'for (let runs = 0; last !== null && runs <= maxRuns; runs += 1) {',
    because: 'No schedule has so many runs in eleven days.',
  },
  {
    file: 'src/core/imports/sqlite-trees.ts',
    line: 'return size >= 512 && (size & (size - 2)) === 0 ? size : null',
    because: 'A number has no bit in common with either only where it is a power of two.',
  },
  {
    file: 'src/core/imports/uptimerobot/uptimerobot-windows.ts',
    line: 'const minutes = Math.max(1, Math.round(duration ?? 1))',
    because: 'A window lasts a minute at least.',
  },
  {
    file: 'src/core/language/bounded-json.ts',
    line: 'for (let at = 0; at <= text.length && spent <= maxCost; at += 1) {',
    because: 'Behind the end stands no character that costs anything.',
  },
  {
    file: 'src/core/language/heap.ts',
    line: 'if (parent === undefined || parent.dueMs < item.dueMs) break',
    because: 'Of items that are due at the same time either may come first.',
  },
  {
    file: 'src/core/language/heap.ts',
    line: 'const child = right !== undefined && left !== undefined && right.dueMs <= left.dueMs ? right : left',
    because: 'Of items that are due at the same time either may come first.',
  },
  {
    file: 'src/core/language/heap.ts',
    line: 'if (child === undefined || child.dueMs > item.dueMs) break',
    because: 'Of items that are due at the same time either may come first.',
  },
  {
    file: 'src/core/language/local-clock.ts',
    line: 'const ahead = ((Number(hours ?? 1) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)) * 1000',
    because: 'Of every zone Node tells hours and minutes, of UTC too.',
  },
  {
    file: 'src/core/language/local-clock.ts',
    line: 'const ahead = ((Number(hours ?? 0) * 60 + Number(minutes ?? 1)) * 60 + Number(seconds)) * 1000',
    because: 'Of every zone Node tells hours and minutes, of UTC too.',
  },
  {
    file: 'src/core/language/one-line.ts',
    line: "const [address = ''] = url.split(/[?#]/, 2)",
    because: 'The first part is the same, however many follow.',
  },
  {
    file: 'src/core/language/redact.ts',
    line: 'return whole.slice(Math.ceil((offset * 9) / 6), Math.floor(((offset + bytes.length) * 8) / 6))',
    because: 'The offset is 0, 1 or 2, for which both round up to the same.',
  },
  {
    file: 'src/core/language/redact.ts',
    line: 'return whole.slice(Math.ceil((offset * 8) / 7), Math.floor(((offset + bytes.length) * 8) / 6))',
    because: 'The offset is 0, 1 or 2, for which both round up to the same.',
  },
  {
    file: 'src/core/language/redact.ts',
    line: 'while (start >= from && isEncoded(text.charCodeAt(start - 1))) start -= 1',
    because: 'What is hidden already ends before a character that base64 does not have, or with a sign of its end.',
  },
  {
    file: 'src/core/language/texts.ts',
    line: 'return Array.from({ length: 13 }, (_, index) => {',
    because: 'No date has a thirteenth month.',
  },
  {
    file: 'src/core/money/quote.ts',
    line: 'return { billing, billingPeriod, locations, priceCents: locations.length / pricing.pricePerLocationCents }',
    because: 'A location costs a cent, and a number multiplied by one is that number divided by one.',
  },
  {
    file: 'src/core/money/renewal.ts',
    line: 'return locations / pricing.pricePerLocationCents',
    because: 'A location costs a cent, and a number multiplied by one is that number divided by one.',
  },
  {
    file: 'src/core/money/vat-rates.ts',
    line: 'const day = at.toISOString().slice(0, 11)',
    because: 'The T behind a day comes after the day itself, and before every later one.',
  },
  {
    file: 'src/core/monitors/parent-proposals.ts',
    line: "return evidence.reduce((sum, one) => sum + (one.type === 'outages' ? 1 + one.together / one.total : 1), 1)",
    because: 'Weights are only compared with each other.',
  },
  {
    file: 'src/core/monitors/schedule.ts',
    line: 'return Number.parseInt(monitorId.slice(-3), 16) % partitionCount',
    because: 'The number of partitions divides 256, so that only the last byte counts.',
  },
  {
    file: 'src/core/monitors/schedule.ts',
    line: 'return Number.parseInt(monitorId.slice(0, 8) + monitorId.slice(9, 14), 16) % intervalMs',
    because: 'The character behind is a hyphen, at which the reading ends.',
  },
  {
    file: 'src/core/monitors/schedule.ts',
    line: 'return nowMs - late + (late >= 0 ? schedule.intervalMs : 0)',
    because: 'Where nothing is late the line before has returned.',
  },
  {
    file: 'src/core/objectives/attainment.ts',
    line: '.slice(0, 2)',
    because: 'A later part begins later, and the earliest begin counts.',
  },
  {
    file: 'src/core/objectives/attainment.ts',
    line: 'const isEnding = leftMs > 0 && (burnRate(lastDay, objective) ?? 1) > 1',
    because: 'Neither 0 nor 1 is above 1.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'while (next <= removed.length && (removed[next]?.[1] ?? 0) <= at) next += 1',
    because: 'A place behind the last one is passed by as one that has ended.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'while (next < removed.length && (removed[next]?.[1] ?? 0) < at) next += 1',
    because: 'A span that ends where the next one begins takes nothing away from it.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'for (let index = next; index <= removed.length; index += 1) {',
    because: 'A place behind the last one is read as the end of the span.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'if (begin > until) break',
    because: 'A span that begins at the end takes nothing, and adds no length.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'while (left <= one.length && right < other.length) {',
    because: 'A place behind the last one is read as a span of no length.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'while (left < one.length && right <= other.length) {',
    because: 'A place behind the last one is read as a span of no length.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'if (until < end) left += 1',
    because: 'Of two that end together, both are passed by, one after the other.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'for (let index = firstEndingAfter(spans, from); index <= spans.length; index += 1) {',
    because: 'A place behind the last one is read as the end of the window.',
  },
  {
    file: 'src/core/objectives/spans.ts',
    line: 'if ((spans[middle]?.[1] ?? 0) >= time) high = middle',
    because: 'A span that ends at the beginning of the window adds no length.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: '#at = 1',
    because: 'The document sets it before anything is read.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'this.#lineStarts = [1, ...[...text.matchAll(/\\r\\n|[\\r\\n]/g)].map(({ index, 0: end }) => index + end.length)]',
    because: 'The search begins at the first line in either case.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (event.anchorStart > 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), tree)',
    because: 'An anchor at the very beginning names all of the file, and nothing behind it can be an alias.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (event.anchorStart >= 1) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), tree)',
    because: 'An anchor at the very beginning names all of the file, and nothing behind it can be an alias.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (offset > 0) this.#offset = offset',
    because: 'The offset is 0 as long as none was set.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'if (offset >= 1) this.#offset = offset',
    because: 'The offset is 0 as long as none was set.',
  },
  {
    file: 'src/core/projects/yaml-tree.ts',
    line: 'return refused(this.#placeAt(-2), message)',
    because: 'Every negative offset says that there is none.',
  },
  {
    file: 'src/core/proofs/merkle-tree.ts',
    line: 'for (let place = 0; place <= level.length; place += 2) {',
    because: 'Behind the last place there is nothing, which is left out.',
  },
  {
    file: 'src/core/proofs/signed-history.ts',
    line: 'return a <= b ? -1 : 1',
    because: 'Equal texts have been answered on the line before.',
  },
  {
    file: 'src/core/proofs/signed-history.ts',
    line: 'return a < b ? -2 : 1',
    because: 'Only the sign of an order is read.',
  },
  {
    file: 'src/core/proofs/signed-history.ts',
    line: 'return a < b ? -1 : 2',
    because: 'Only the sign of an order is read.',
  },
  {
    file: 'src/core/software/exposure-report.ts',
    line: 'const locations = verification?.scans.length ?? 1',
    because: 'The outcomes that tell the number have a verification.',
  },
  {
    file: 'src/core/reports/compute-report.ts',
    line: 'latency_ms: averageLatency({ ...past.counts, up: 1, restricted: 0 }) ?? 0,',
    because: 'A mean is not made of the checks that were up, which only complete the type.',
  },
  {
    file: 'src/core/reports/compute-report.ts',
    line: 'latency_ms: averageLatency({ ...past.counts, up: 0, restricted: 1 }) ?? 0,',
    because: 'A mean is not made of the checks that were degraded, which only complete the type.',
  },
  {
    file: 'src/core/reports/compute-report.ts',
    line: 'latency_ms: averageLatency({ ...past.counts, up: 0, restricted: 0 }) ?? 1,',
    because: 'Monitors without a response time are no slow ones.',
  },
  {
    file: 'src/core/reports/compute-report.ts',
    line: 'previous_latency_ms: averageLatency({ ...previous.counts, up: 1, restricted: 0 }),',
    because: 'A mean is not made of the checks that were up, which only complete the type.',
  },
  {
    file: 'src/core/reports/compute-report.ts',
    line: 'previous_latency_ms: averageLatency({ ...previous.counts, up: 0, restricted: 1 }),',
    because: 'A mean is not made of the checks that were degraded, which only complete the type.',
  },
  {
    file: 'src/core/reports/report-period.ts',
    line: 'return periodOn(addDays(period.firstDay, -2), period)',
    because: 'A period has a week at least, so that a day more leads to the same one.',
  },
  {
    file: 'src/core/reports/report-period.ts',
    line: 'return periodOn(addDays(period.lastDay, 2), period)',
    because: 'A period has a week at least, so that a day more leads to the same one.',
  },
  {
    file: 'src/core/reports/report-words.ts',
    line: "const change = `${Math.abs(points)} percentage points ${points >= 0 ? 'better' : 'worse'}`",
    because: 'Where both are the same the line before has returned.',
  },
  {
    file: 'src/core/results/latency-day.ts',
    line: 'return values.reduce((total, value) => total - value, 0)',
    because: 'A mean is a sum divided by a sum, so that both signs cancel each other out.',
  },
  {
    file: 'src/core/results/latency-histogram.ts',
    line: 'if (one === undefined && all.length === 1) return one',
    because: 'A histogram that is merged with nothing is what it was; to return it only saves the work.',
  },
  {
    file: 'src/core/results/latency-histogram.ts',
    line: 'for (let lowest = 1; lowest < max; lowest = lastFrom(lowest) + 1) bounds.push(lowest)',
    because: 'No bound is the very maximum.',
  },
  {
    file: 'src/core/results/uptime.ts',
    line: 'const to = asked.to === undefined || asked.to >= today ? today : asked.to',
    because: 'Today is today, by whichever of its two names.',
  },
  {
    file: 'src/core/status-pages/page-colours.ts',
    line: 'for (let step = 0; step < steps; step += 1) {',
    because: 'Black and white, which the last step is, are reached by no colour that can be read before.',
  },
  {
    file: 'src/core/status-pages/page-colours.ts',
    line: 'return share < 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4',
    because: 'No channel has that share.',
  },
]
