/** What to do where the platform does not find the organization that a command acts in. */
export function organizationHint(orgId: string): string {
  return `Check the organization, ${orgId}: --org, IIOT_ORG or the profile names it`;
}
