const operatorToken = 'operator'.repeat(4)

/** The setting of a service whose metrics and status a test reads. */
export const operatorSetting = { PERIGEE_METRICS_TOKEN: operatorToken }

/** The headers with which it reads them. */
export const asOperator = { Authorization: `Bearer ${operatorToken}` }
