// Read certificates with crypto/x509 into a slice for each field, as a table has a column for each field.
//
// The argument is a file of DER certificates, one after the other. The program reads requests from its standard input:
// "run" does the work and answers with the nanoseconds, "facts" answers with the number of certificates of the last run
// and then with each of them as JSON. Called by go.py.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"
)

type table struct {
	version              []int
	serialNumber         []string
	signatureAlgorithm   []x509.SignatureAlgorithm
	issuer, subject      []string
	notBefore, notAfter  []int64
	keyAlgorithm         []x509.PublicKeyAlgorithm
	keySize              []int
	dnsNames             [][]string
	emailAddresses       [][]string
	ipAddresses          [][]net.IP
	uris                 [][]*url.URL
	isCA                 []bool
	pathLength           []int
	keyUsage             []x509.KeyUsage
	extendedKeyUsage     [][]x509.ExtKeyUsage
	policies             [][]string
	subjectKeyIdentifier [][]byte
	authorityKey         [][]byte
	crlURLs              [][]string
	ocspURLs             [][]string
	caIssuerURLs         [][]string
	extensions           [][]string
	critical             [][]bool
}

func keySize(key any) int {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return key.N.BitLen()
	case *ecdsa.PublicKey:
		return key.Curve.Params().BitSize
	}
	return 0
}

func read(encodings [][]byte) *table {
	t := new(table)
	for _, der := range encodings {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			panic(err)
		}
		t.version = append(t.version, c.Version)
		t.serialNumber = append(t.serialNumber, string(c.SerialNumber.Bytes()))
		t.signatureAlgorithm = append(t.signatureAlgorithm, c.SignatureAlgorithm)
		t.issuer = append(t.issuer, c.Issuer.String())
		t.notBefore = append(t.notBefore, c.NotBefore.Unix())
		t.notAfter = append(t.notAfter, c.NotAfter.Unix())
		t.subject = append(t.subject, c.Subject.String())
		t.keyAlgorithm = append(t.keyAlgorithm, c.PublicKeyAlgorithm)
		t.keySize = append(t.keySize, keySize(c.PublicKey))
		t.dnsNames = append(t.dnsNames, c.DNSNames)
		t.emailAddresses = append(t.emailAddresses, c.EmailAddresses)
		t.ipAddresses = append(t.ipAddresses, c.IPAddresses)
		t.uris = append(t.uris, c.URIs)
		t.isCA = append(t.isCA, c.IsCA)
		t.pathLength = append(t.pathLength, c.MaxPathLen)
		t.keyUsage = append(t.keyUsage, c.KeyUsage)
		t.extendedKeyUsage = append(t.extendedKeyUsage, c.ExtKeyUsage)
		policies := make([]string, len(c.Policies))
		for i, policy := range c.Policies {
			policies[i] = policy.String()
		}
		t.policies = append(t.policies, policies)
		t.subjectKeyIdentifier = append(t.subjectKeyIdentifier, c.SubjectKeyId)
		t.authorityKey = append(t.authorityKey, c.AuthorityKeyId)
		t.crlURLs = append(t.crlURLs, c.CRLDistributionPoints)
		t.ocspURLs = append(t.ocspURLs, c.OCSPServer)
		t.caIssuerURLs = append(t.caIssuerURLs, c.IssuingCertificateURL)
		extensions := make([]string, len(c.Extensions))
		critical := make([]bool, len(c.Extensions))
		for i, extension := range c.Extensions {
			extensions[i], critical[i] = extension.Id.String(), extension.Critical
		}
		t.extensions = append(t.extensions, extensions)
		t.critical = append(t.critical, critical)
	}
	return t
}

var signatureAlgorithms = map[x509.SignatureAlgorithm]string{x509.SHA256WithRSA: "1.2.840.113549.1.1.11"}

var keyAlgorithms = map[x509.PublicKeyAlgorithm]string{
	x509.RSA:   "1.2.840.113549.1.1.1",
	x509.ECDSA: "1.2.840.10045.2.1",
}

var purposes = map[x509.ExtKeyUsage]string{
	x509.ExtKeyUsageServerAuth: "1.3.6.1.5.5.7.3.1",
	x509.ExtKeyUsageClientAuth: "1.3.6.1.5.5.7.3.2",
}

// The fields of a certificate in the form that fields.py describes.
func (t *table) facts(i int) map[string]any {
	addresses := []string{}
	for _, address := range t.ipAddresses[i] {
		addresses = append(addresses, hex.EncodeToString(address))
	}
	uris := []string{}
	for _, uri := range t.uris[i] {
		uris = append(uris, uri.String())
	}
	used := []string{}
	for _, purpose := range t.extendedKeyUsage[i] {
		used = append(used, purposes[purpose])
	}
	var pathLength any
	if t.pathLength[i] >= 0 {
		pathLength = t.pathLength[i]
	}
	return map[string]any{
		"version":                  t.version[i] - 1,
		"serial_number":            hex.EncodeToString([]byte(t.serialNumber[i])),
		"signature_algorithm":      signatureAlgorithms[t.signatureAlgorithm[i]],
		"issuer":                   t.issuer[i],
		"not_before":               t.notBefore[i],
		"not_after":                t.notAfter[i],
		"subject":                  t.subject[i],
		"key_algorithm":            keyAlgorithms[t.keyAlgorithm[i]],
		"key_size":                 t.keySize[i],
		"dns_names":                append([]string{}, t.dnsNames[i]...),
		"email_addresses":          append([]string{}, t.emailAddresses[i]...),
		"ip_addresses":             addresses,
		"uris":                     uris,
		"is_ca":                    t.isCA[i],
		"path_length":              pathLength,
		"key_usage":                t.keyUsage[i],
		"extended_key_usage":       used,
		"policies":                 t.policies[i],
		"subject_key_identifier":   hex.EncodeToString(t.subjectKeyIdentifier[i]),
		"authority_key_identifier": hex.EncodeToString(t.authorityKey[i]),
		"crl_urls":                 append([]string{}, t.crlURLs[i]...),
		"ocsp_urls":                append([]string{}, t.ocspURLs[i]...),
		"ca_issuer_urls":           append([]string{}, t.caIssuerURLs[i]...),
		"extensions":               t.extensions[i],
		"critical":                 t.critical[i],
	}
}

// The encodings of a file; each has a header of four bytes.
func encodings(data []byte) [][]byte {
	var found [][]byte
	for len(data) > 0 {
		end := 4 + int(data[2])<<8 + int(data[3])
		found = append(found, data[:end:end])
		data = data[end:]
	}
	return found
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	given := encodings(data)
	answers := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(answers)
	encoder.SetEscapeHTML(false)
	var last *table
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		if requests.Text() == "run" {
			last = nil
			begin := time.Now()
			last = read(given)
			fmt.Fprintln(answers, time.Since(begin).Nanoseconds())
		} else {
			fmt.Fprintln(answers, len(given))
			for i := range given {
				if err := encoder.Encode(last.facts(i)); err != nil {
					panic(err)
				}
			}
		}
		answers.Flush()
	}
}
