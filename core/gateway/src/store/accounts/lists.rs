//! Jobs, lists of values, and master data, of each account and of several.

use super::Accounts;
use crate::query::{NUMBERS_OF_AN_ACCOUNT, Places};
use crate::store::{
    ElementSelection, FoundElements, IdentifierSelection, JobEvents, Jobs, Listed, MasterData,
    StoredJob, ValueSelection, Values,
};
use async_trait::async_trait;
use epcis_edge_text::error::Error;
use std::collections::BTreeSet;

#[async_trait(?Send)]
impl Jobs for Accounts {
    async fn jobs(
        &self,
        account: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StoredJob>, Error> {
        match self.account(account).await? {
            Some(store) => store.jobs(account, before, limit).await,
            None => Ok(Vec::new()),
        }
    }

    async fn job_events(
        &self,
        account: &str,
        number: u64,
        limit: usize,
    ) -> Result<JobEvents, Error> {
        match self.account(account).await? {
            Some(store) => store.job_events(account, number, limit).await,
            None => Ok(JobEvents::default()),
        }
    }
}

#[async_trait(?Send)]
impl Values for Accounts {
    async fn values(&self, selection: &ValueSelection<'_>) -> Result<Listed, Error> {
        let accounts = self.scope(selection.accounts, None).await?.into_iter();
        let accounts = accounts.map(|account| (account, ()));
        let found = self.each(accounts, async |store, ()| store.values(selection).await).await?;
        // An account that is not at its end may have more values after its `next`, so the list ends at the first such place.
        let end = found.iter().filter_map(|found| found.next.clone()).min();
        let values = found.into_iter().flat_map(|found| found.values);
        let values: BTreeSet<String> =
            values.filter(|value| end.as_ref().is_none_or(|end| value <= end)).collect();
        let is_cut = values.len() > selection.limit;
        let values: Vec<String> = values.into_iter().take(selection.limit).collect();
        let next = match is_cut {
            true => values.last().cloned(),
            false => end,
        };
        Ok(Listed { values, next })
    }
}

#[async_trait(?Send)]
impl MasterData for Accounts {
    async fn newest_elements(&self, accounts: Option<&[&str]>) -> Result<Places, Error> {
        let accounts = self.scope(accounts, None).await?.into_iter();
        let newest =
            self.each(accounts.map(|account| (account, account)), async |store, account| {
                Ok(account * NUMBERS_OF_AN_ACCOUNT + store.newest_elements(None).await?.single())
            });
        Ok(newest.await?.into_iter().collect())
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let found = self.elements_in(selection.accounts, selection.upper).await?;
        let found = self.each(found, async |store, upper| {
            store.identifiers(&IdentifierSelection { upper: &upper, ..*selection }).await
        });
        let found: BTreeSet<String> = found.await?.into_iter().flatten().collect();
        Ok(found.into_iter().take(selection.limit).collect())
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let mut asked = self.elements_in(selection.accounts, selection.upper).await?;
        let mut begun = None;
        if let Some(after) = selection.after {
            begun = self.begins_of(&[&after.account]).await?.into_keys().next();
            asked.retain(|(account, _)| Some(*account) >= begun);
        }
        let bytes = (selection.bytes / asked.len().max(1)).max(1);
        let asked = asked.into_iter().map(|(account, upper)| {
            let after = selection.after.filter(|_| Some(account) == begun);
            (account, (upper, after))
        });
        let found = self.each(asked, async |store, (upper, after)| {
            let here = ElementSelection { upper: &upper, after, bytes, ..*selection };
            store.elements(&here).await
        });
        let (mut elements, mut is_last) = (Vec::new(), true);
        for found in found.await? {
            elements.extend(found.elements);
            is_last = found.is_last;
            if !is_last {
                break;
            }
        }
        is_last &= elements.len() <= selection.limit;
        elements.truncate(selection.limit);
        Ok(FoundElements { elements, is_last })
    }
}

impl Accounts {
    /// The accounts in which a question looks for master data, each with the place there. An account numbers its elements from 1.
    async fn elements_in(
        &self,
        accounts: Option<&[&str]>,
        upper: &Places,
    ) -> Result<Vec<(u64, Places)>, Error> {
        let accounts = self.scope(accounts, Some(upper)).await?.into_iter();
        let place = |account| Places::at(upper.in_account(account) % NUMBERS_OF_AN_ACCOUNT);
        Ok(accounts.map(|account| (account, place(account))).collect())
    }
}
