import type { ReactNode } from 'react'
import type { MonitorDetail } from '../../api/monitors.ts'
import { Episodes } from './episodes.tsx'
import { Incidents } from './incidents.tsx'
import { Results } from '../results/results.tsx'
import { MonitorSettings } from './settings.tsx'
import { SoftwareTab } from '../software/software.tsx'

type InnerTabProps = {
  tab: 'results' | 'incidents' | 'software' | 'settings'
  detail: MonitorDetail
  everyMs: number
}

/** The tabs behind the first, which load when one of them is pointed at. */
export function InnerTab({ tab, detail, everyMs }: InnerTabProps): ReactNode {
  switch (tab) {
    case 'results':
      return <Results monitor={detail.data} everyMs={everyMs} />
    case 'incidents':
      return (
        <>
          <Incidents detail={detail} />
          <Episodes detail={detail} everyMs={everyMs} />
        </>
      )
    case 'software':
      return <SoftwareTab monitor={detail.data} />
    case 'settings':
      return <MonitorSettings monitor={detail.data} />
  }
}
