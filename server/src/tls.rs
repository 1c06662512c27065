//! TLS: of the server, if files with a certificate and its key are given, and to its database.

use crate::settings::Settings;
use std::fmt::Display;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore,
    ServerConfig, SignatureScheme,
};

fn said<'a, E: Display>(file: &'a str) -> impl Fn(E) -> String + 'a {
    move |error| format!("{file}: {error}")
}

/// The certificates of a file, at least one.
fn chain(file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let chain: Vec<_> = read.map_err(said(file))?;
    if chain.is_empty() { Err(format!("{file}: no certificate")) } else { Ok(chain) }
}

/// What the server speaks; `None` if the settings name no certificate.
///
/// # Errors
/// One of the two files without the other; a file that cannot be used.
pub(crate) fn of_server(settings: &Settings) -> Result<Option<TlsAcceptor>, String> {
    let (certificate, key) = match (settings.text("TLS_CERTIFICATE"), settings.text("TLS_KEY")) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => (certificate, key),
        _ => return Err("TLS_CERTIFICATE and TLS_KEY are given together".to_owned()),
    };
    let secret = PrivateKeyDer::from_pem_file(&key).map_err(said(&key))?;
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain(&certificate)?, secret)
        .map_err(said(&certificate))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

/// How a database is spoken to: it shows a certificate for its name, for which one of the file vouches, or without a file one of the web.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn to_database(settings: &Settings) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match settings.text("DATABASE_CERTIFICATES") {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            for one in chain(&file)? {
                roots.add(one).map_err(said(&file))?;
            }
        }
    }
    Ok(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

/// A connection to a server with these settings, which trusts its certificate alone; `None` if it speaks no TLS.
///
/// # Errors
/// A file that cannot be used.
pub(crate) fn to_itself(settings: &Settings) -> Result<Option<ClientConnection>, String> {
    let Some(file) = settings.text("TLS_CERTIFICATE") else { return Ok(None) };
    let own = chain(&file)?.into_iter().next().ok_or_else(|| format!("{file}: no certificate"))?;
    let verifier = Itself { own, provider: ring::default_provider() };
    let config = ClientConfig::builder()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").map_err(said(&file))?;
    ClientConnection::new(Arc::new(config), name).map(Some).map_err(said(&file))
}

/// Trusts one certificate, whoever vouches for it: its holder asks.
#[derive(Debug)]
struct Itself {
    own: CertificateDer<'static>,
    provider: CryptoProvider,
}

impl ServerCertVerifier for Itself {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match *shown == self.own {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::UnknownIssuer.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
