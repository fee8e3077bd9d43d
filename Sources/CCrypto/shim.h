// SHA-256 of OpenSSL's libcrypto, which the program links in any case: libpq needs it.
#pragma once

// OpenSSL 3 recommends EVP instead, which is slower for short inputs, allocates, and fails where the machine's
// openssl.cnf loads no default provider.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
