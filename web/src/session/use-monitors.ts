import { queryOptions } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  type MonitorApi,
  type ResponseHours,
  type ResultsAsked,
  monitorApi,
  readMonitorForms,
} from '../api/monitors.ts'
import { useWorkspace } from './workspace.tsx'

/** Monitors of the current workspace. */
export function useMonitors(): MonitorApi {
  const { workspace } = useWorkspace()
  return useMemo(() => monitorApi(workspace.id), [workspace.id])
}

/** They change with a release, and a release brings another page. */
export const formsQuery = queryOptions({ queryKey: ['monitor-forms'], queryFn: readMonitorForms, staleTime: Infinity })

/** The key under which everything of a monitor is cached; `useChanged` takes it. */
export function monitorKey(id: string): string {
  return `monitor ${id}`
}

/** The same for its results. */
export function resultsKey(id: string): string {
  return `results ${id}`
}

/** The same for the first of its results of some kind or time. */
export function resultPageKey(id: string, asked: ResultsAsked): string {
  return `results ${id} ${JSON.stringify(asked)}`
}

/** The same for all pages of them, whatever is asked for. */
export function resultPagesKey(id: string): string {
  return `result pages ${id}`
}

/** The same for its events that are no incidents. */
export function eventsKey(id: string): string {
  return `events ${id}`
}

/** The same for what it may depend on. */
export function parentsKey(id: string): string {
  return `parents ${id}`
}

/** The same for its response times of so many hours, or between two times. */
export function responseTimesKey(id: string, asked: ResponseHours | { since: string; until: string }): string {
  return `response times ${id} ${typeof asked === 'string' ? asked : `${asked.since} ${asked.until}`}`
}

/** The same for its response times of each hour. */
export function responseHoursKey(id: string): string {
  return `response hours ${id}`
}

/** Whether the person may change anything here. */
export function useMayWrite(): boolean {
  return useWorkspace().workspace.role !== 'viewer'
}
