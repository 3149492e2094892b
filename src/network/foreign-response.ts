/** Detects responses that are not the platform's, but those of a gateway, a proxy, a captive portal or another web server. */

import { Failure, type FailureFacts, type FailureKind, kindOfStatus } from '../failure.ts';
import { isWebPage, isXml, messageInXml, titleOf } from '../text/html.ts';
import { parseUrl } from '../text/parse-url.ts';
import { quoteForShell } from '../text/shell-lines.ts';
import type { ExchangeResponse } from './fetch.ts';
import { proxyLoginWords, proxySchemes } from './proxy.ts';

/** A response that is not the platform's: a sentence without status and full stop, a hint, and whether it certainly has another sender. */
export type ForeignResponse = { readonly sentence: string; readonly hint: string; readonly isStranger?: boolean };

/**
 * Recognizes a web page, a challenge for another kind of login, or a redirect to another origin; undefined for anything that may be the platform's
 * own. JSON always counts as the platform's, because that of a gateway looks the same.
 */
export function foreignResponseIn(response: ExchangeResponse): ForeignResponse | undefined {
  return (
    proxyLoginIn(response) ?? gatewayIn(response) ?? redirectIn(response) ?? pageIn(response) ?? challengeIn(response)
  );
}

/** Recognizes a foreign response at a login, where XML is one too: the platform answers a login in JSON. */
export function foreignLoginResponseIn(response: ExchangeResponse): ForeignResponse | undefined {
  const { status, headers, masked } = response;
  const foreign = foreignResponseIn(response);
  if (foreign || !isXml(response.text, headers.get('content-type') ?? '')) return foreign;
  const message = messageInXml(masked.text);
  const named = message === undefined ? '' : `: "${message}"`;
  return { sentence: `XML came instead of the platform's response${named}`, hint: pageHint(status, '') };
}

/** Adds to the hint what else to check if the response is the platform's after all. Not for a redirect, an outage, or a certain stranger. */
export function alsoCheck(
  foreign: ForeignResponse,
  { status }: Pick<ExchangeResponse, 'status'>,
  also: string,
): ForeignResponse {
  if (foreign.isStranger || status >= 500 || (status >= 300 && status < 400)) return foreign;
  return { ...foreign, hint: `${foreign.hint}. If all of that is right, ${also}` };
}

/** "The exit code follows the status": a redirect, and a page with 200, are a response that cannot be read. @param kind overrides the status */
export function foreignResponseFailure(
  { sentence, hint }: ForeignResponse,
  { status }: Pick<ExchangeResponse, 'status'>,
  facts: FailureFacts,
  kind: FailureKind = status === 407 || status < 400 ? 'unavailable' : kindOfStatus(status),
): Failure {
  return new Failure(kind, `${sentence} (${status}).`, { hint, ...facts, status, refused: 'elsewhere' });
}

/** Recognizes the 407 of a proxy for plain http. With a tunnel, opening that fails instead. */
function proxyLoginIn({ status, masked }: ExchangeResponse): ForeignResponse | undefined {
  if (status !== 407) return undefined;
  const [reason, hint] = proxyLoginWords(
    proxySchemes(masked.header('proxy-authenticate') ?? ''),
    'HTTP_PROXY or ALL_PROXY',
  );
  return { sentence: `The proxy did not let the request through: ${reason}`, hint, isStranger: true };
}

/** The headers by which a gateway says that it answers itself. `unless`: a content type with which the platform may have answered. */
const gateways: readonly { readonly header: string; readonly value: RegExp; readonly unless?: RegExp }[] = [
  { header: 'x-amzn-waf-action', value: /./ },
  { header: 'cf-mitigated', value: /./ },
  { header: 'server', value: /^awselb\b/i, unless: /json/i },
];

/** Recognizes a gateway that wants a proof that a browser is there, or that has no server behind it. */
function gatewayIn({ status, headers, masked }: ExchangeResponse): ForeignResponse | undefined {
  const type = headers.get('content-type') ?? '';
  const isOf = ({ header, value, unless }: (typeof gateways)[number]) =>
    value.test(headers.get(header) ?? '') && unless?.test(type) !== true;
  const header = gateways.find(isOf)?.header;
  if (header === undefined && !(status === 204 && /html/i.test(type))) return undefined;
  const named = header === undefined ? `content-type: ${type}` : `${header}: ${masked.header(header)}`;
  return {
    isStranger: true,
    sentence: `A gateway answered in place of the platform (${named})`,
    hint: 'Ask its operator to let this tool through; see: iiot doctor',
  };
}

function redirectIn({ status, url, masked }: ExchangeResponse): ForeignResponse | undefined {
  if (status < 300 || status >= 400) return undefined;
  const location = masked.header('location');
  const from = new URL(url);
  const to = location === null ? undefined : parseUrl(location, url);
  return !to || to.origin === from.origin ? undefined : redirectWords(from, to);
}

/** The words for a redirect to another origin. Its usual cause is a base URL with http:// for a platform that requires https://. */
export function redirectWords(from: URL, to: URL): ForeignResponse {
  const place = to.origin === 'null' ? `an address that starts with ${to.protocol}` : to.origin;
  const isSecured = to.hostname === from.hostname && from.protocol === 'http:' && to.protocol === 'https:';
  const hint = isSecured
    ? `Use https in the base URL: iiot profiles set NAME baseUrl=${quoteForShell(to.origin)}`
    : 'If the platform has moved, set its new address (iiot profiles set NAME baseUrl=URL) and log in there; otherwise a gateway or proxy answers; see: iiot doctor';
  return { sentence: `${from.origin} redirects to ${place}, which is not followed`, hint };
}

function pageIn(response: ExchangeResponse): ForeignResponse | undefined {
  // Reads the text before masking, because masking a long list takes longer than reading it.
  const { status, url, text, masked, pause } = response;
  const isPage = isWebPage(text, response.headers.get('content-type') ?? '');
  // Servers written in Go, and some gateways, answer in plain text.
  const isWords = status >= 400 && status < 500 && text.length < 500 && !/^\s*[[{"]/.test(text);
  const demand = isPage || isWords ? demandIn(url, masked.text) : undefined;
  if (!isPage && demand === undefined) return undefined;
  const title = isPage ? titleOf(masked.text) : masked.text.trim();
  const isNamed = [title, masked.header('server')].some((name) => name && !commonNames.test(name));
  const named = title ? `: "${title}"` : '';
  const asks = pause ? `, and asks to wait ${pause}` : '';
  return {
    sentence: `${isPage ? 'A web page' : 'Something else'} came instead of the platform's response${named}${asks}`,
    hint: demand ?? pageHint(status, masked.text),
    isStranger: demand !== undefined || isNamed || otherScheme(response) !== undefined,
  };
}

/** Matches the names of servers that platforms use, and titles that any page may have. */
const commonNames =
  /^(kestrel|microsoft-|iis |(http )?(status |error )?\d{3}\b|error|not found|forbidden|unauthorized|bad request)/i;

/** The hint for a server in front of the platform that wants https or a client certificate. */
function demandIn(url: string, text: string): string | undefined {
  if (/HTTP request (was sent )?to (an )?HTTPS (port|server)|plain HTTP to an SSL-enabled/i.test(text))
    return `The server expects https: use https://${new URL(url).host} as the base URL`;
  if (/(SSL|client) certificate (was sent|error|(is )?required)|required (SSL|client) certificate/i.test(text))
    return 'A gateway asks for a client certificate: give it with --client-cert FILE and --client-key FILE';
  return undefined;
}

function pageHint(status: number, html: string): string {
  if (status >= 500)
    return 'A gateway in front of the platform may be unable to reach it: try again later; to find the cause, run: iiot doctor';
  const look = 'Check the base URL, and whether a gateway or proxy answers in place of the platform: iiot doctor';
  const asksToLogIn = /type\s*=\s*["']?password/i.test(html);
  return asksToLogIn ? `${look}. If this is the platform's own login page, log in: iiot login` : look;
}

const otherSchemes = /(?:^|,)\s*(Basic|Negotiate|NTLM|Digest)\b/i;

/** Recognizes a challenge for another scheme than Bearer. One with JSON may be that of an OAuth server that refuses a client. */
function challengeIn(response: ExchangeResponse): ForeignResponse | undefined {
  const scheme = otherScheme(response);
  if (scheme === undefined || /^\s*[[{]/.test(response.masked.text)) return undefined;
  return {
    isStranger: true,
    sentence: `A gateway or proxy asks for its own login (${scheme}), before the platform is reached`,
    hint: 'Check the base URL, and ask the operator of the gateway or proxy how to get through it: iiot doctor',
  };
}

function otherScheme({ status, masked }: ExchangeResponse): string | undefined {
  const challenge = (status === 401 && masked.header('www-authenticate')) || '';
  return /(?:^|,)\s*(Bearer|DPoP)\b/i.test(challenge) ? undefined : otherSchemes.exec(challenge)?.[1];
}
