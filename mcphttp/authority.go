package mcphttp

import (
	"net/netip"
	"slices"
	"strings"
)

// authority is a host with an optional port, as a Host header or an origin has it. Hosts are in one spelling: lower case,
// without a trailing dot, IPv6 without brackets and in its shortest form.
type authority struct {
	host string
	port string // "" where none was given
	ip   netip.Addr
}

// parseAuthority takes host, host:port, [IPv6] or [IPv6]:port and nothing else: no user, path, zone, or character that a
// host name does not have.
func parseAuthority(text string) (authority, bool) {
	host, port := text, ""
	bracketed := strings.HasPrefix(text, "[")
	if bracketed {
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return authority{}, false
		}
		host, port = text[1:end], text[end+1:]
	} else if colon := strings.IndexByte(text, ':'); colon >= 0 {
		host, port = text[:colon], text[colon:]
	}
	if port != "" {
		if port[0] != ':' || !isPort(port[1:]) {
			return authority{}, false
		}
		port = port[1:]
	}
	if bracketed {
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return authority{}, false
		}
		return authority{ip.String(), port, ip}, true
	}
	host = strings.TrimSuffix(host, ".")
	if !isHostName(host) {
		return authority{}, false
	}
	if last := host[len(host)-1]; '0' <= last && last <= '9' {
		if ip, err := netip.ParseAddr(host); err == nil {
			return authority{host, port, ip}, true
		}
	}
	return authority{strings.ToLower(host), port, netip.Addr{}}, true
}

func isPort(text string) bool {
	if text == "" || len(text) > 5 {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

func isHostName(text string) bool {
	if text == "" || len(text) > 253 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_':
		default:
			return false
		}
	}
	return true
}

// isLoopback reports a name that can only mean this machine. Names below localhost are not among them: not every resolver
// keeps them at home.
func (a authority) isLoopback() bool {
	return a.host == "localhost" || a.ip.IsValid() && a.ip.Unmap().IsLoopback()
}

// isIn reports whether a list names a. An entry without a port allows every port; one with a default port also allows a
// host that names none.
func (a authority) isIn(list []authority) bool {
	return slices.ContainsFunc(list, func(entry authority) bool {
		return entry.host == a.host && entry.host != "" &&
			(entry.port == "" || entry.port == a.port || a.port == "" && (entry.port == "80" || entry.port == "443"))
	})
}

// origin is the value of an Origin header.
type origin struct {
	scheme string
	authority
}

// parseOrigin takes scheme://host and scheme://host:port and nothing else, so neither null nor a URL with a user or path.
func parseOrigin(text string) (origin, bool) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || !isScheme(scheme) {
		return origin{}, false
	}
	host, ok := parseAuthority(rest)
	return origin{strings.ToLower(scheme), host}, ok
}

func isScheme(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return text != ""
}

// isWeb reports an origin of a page that came over HTTP.
func (o origin) isWeb() bool { return o.scheme == "http" || o.scheme == "https" }

// isIn reports whether a list names o, ports compared with the scheme's default for a missing one.
func (o origin) isIn(list []origin) bool {
	return slices.ContainsFunc(list, func(entry origin) bool {
		return entry.scheme == o.scheme && entry.host == o.host && o.portOf(entry.port) == o.portOf(o.port)
	})
}

// isOf reports whether o is the origin of the host that a request names.
func (o origin) isOf(host authority) bool {
	return o.isWeb() && o.host == host.host && o.portOf(o.port) == o.portOf(host.port)
}

func (o origin) portOf(port string) string {
	switch {
	case port != "":
		return port
	case o.scheme == "http":
		return "80"
	case o.scheme == "https":
		return "443"
	}
	return ""
}
