import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLocalClock } from './local-clock.ts'

const ms = (time: string): number => Date.parse(`${time}:00Z`)
const shown = (time: number): string => new Date(time).toISOString().slice(0, 16)

describe('a clock that is never put back', () => {
  const cases: [what: string, zone: string, moment: string, local: string][] = [
    ['in UTC', 'UTC', '2026-03-29T01:00', '2026-03-29T01:00'],
    ['before clocks go forward', 'Europe/Sofia', '2026-03-29T00:59', '2026-03-29T02:59'],
    ['once they went forward', 'Europe/Sofia', '2026-03-29T01:00', '2026-03-29T04:00'],
    ['before clocks go back', 'Europe/Sofia', '2026-10-25T00:59', '2026-10-25T03:59'],
    ['in the hour that comes again', 'Europe/Sofia', '2026-10-25T01:30', '2026-10-25T03:59'],
    ['once that hour is over', 'Europe/Sofia', '2026-10-25T02:01', '2026-10-25T04:01'],
    ['where the day changes too', 'America/New_York', '2026-11-01T06:30', '2026-11-01T01:59'],
    ['by half an hour', 'Australia/Lord_Howe', '2026-04-04T15:10', '2026-04-05T01:59'],
    ['half an hour later', 'Australia/Lord_Howe', '2026-04-04T15:40', '2026-04-05T02:10'],
    ['forward by half an hour', 'Australia/Lord_Howe', '2026-10-03T15:30', '2026-10-04T02:30'],
    ['where a day is left out', 'Pacific/Apia', '2011-12-30T10:00', '2011-12-31T00:00'],
    ['for the month of Ramadan', 'Africa/Casablanca', '2026-02-15T02:30', '2026-02-15T02:59'],
    ['before there were zones', 'America/New_York', '1880-01-01T00:00', '1879-12-31T19:03'],
  ]
  for (const [what, zone, moment, local] of cases)
    it(`shows the time ${what}`, () => assert.equal(shown(createLocalClock(zone).at(ms(moment))), local))

  const moments: [what: string, zone: string, local: string, moment: string][] = [
    ['an ordinary time', 'Europe/Sofia', '2026-07-01T09:00', '2026-07-01T06:00'],
    ['a time that is left out', 'Europe/Sofia', '2026-03-29T03:30', '2026-03-29T01:00'],
    ['the first time after that', 'Europe/Sofia', '2026-03-29T04:00', '2026-03-29T01:00'],
    ['a time that comes twice', 'Europe/Sofia', '2026-10-25T03:30', '2026-10-25T00:30'],
    ['the end of the hour that comes twice', 'Europe/Sofia', '2026-10-25T04:00', '2026-10-25T02:00'],
    ['a time of a day that is left out', 'Pacific/Apia', '2011-12-30T09:00', '2011-12-30T10:00'],
    ['midnight that is left out', 'America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T03:00'],
  ]
  for (const [what, zone, local, moment] of moments)
    it(`knows when it shows ${what}`, () => assert.equal(shown(createLocalClock(zone).momentOf(ms(local))), moment))

  it('never goes back, and says when it first shows what it shows', () => {
    for (const zone of [
      'Europe/Sofia',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/St_Johns',
      'Pacific/Apia',
    ]) {
      const clock = createLocalClock(zone)
      let last = -Infinity
      for (let at = ms('2026-01-01T00:00'); at < ms('2027-01-01T00:00'); at += 900_000) {
        const local = clock.at(at)
        assert.ok(local >= last, `${zone} at ${shown(at)}`)
        assert.ok(clock.momentOf(local) <= at)
        assert.ok(clock.momentOf(local + 1) > at || clock.at(at + 1) === local)
        last = local
      }
    }
  })
})
