/** The code with which an operation answers somebody who may do it, where this workspace makes that no success. */
export const outcomes: Readonly<Record<string, string>> = {
  // The monitors are in slots of the plan, and nothing is due for them.
  quote_renewal: 'not_renewable',
  renew_monitor: 'not_renewable',
  // No prober and no receiver is there.
  try_monitor: 'unavailable',
  try_monitor_change: 'unavailable',
  // The list was imported.
  verify_exposure: 'not_verifiable',
  // It goes on.
  get_exposure_report: 'still_open',
  test_alert_channel: 'delivery_failed',
  top_up_credit: 'payment_required',
  // Others wrote the comment.
  update_incident_comment: 'wrong_person',
  delete_incident_comment: 'wrong_person',
  // The owner is the only one.
  remove_member: 'last_owner',
  // No name server is there.
  prove_sign_in_domain: 'domain_not_proved',
  // Keys and codes are not known.
  authorize_device: 'claim_expired',
  authorize_program: 'bad_request',
  complete_claim: 'claim_expired',
  view_takeover: 'validation_failed',
  take_over_workspace: 'validation_failed',
}
