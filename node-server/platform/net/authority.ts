/** Formats `host:port`; an IPv6 address stands in brackets. */
export function authority(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
